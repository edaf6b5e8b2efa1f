/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { EventEmitter, getEventListeners } from 'node:events';

import type { Item, PreparedRequest } from '../../nodes/VoiceSpeech/execution/item';
import { admit, sendWithRetries } from '../../nodes/VoiceSpeech/execution/send';
import type { NodeRunTry } from '../../nodes/VoiceSpeech/execution/nodeRunTry';
import { newTry } from './newTry';

type Setting = { allowed?: string; stopsOnFailure?: boolean };

const goesOn = { stopsOnFailure: false };

let canceled: AbortController;
beforeEach(() => (canceled = new AbortController()));

function setUp({ allowed = 'any', stopsOnFailure }: Setting) {
	const runTry = newTry({ stopsOnFailure, cancel: canceled.signal });
	runTry.enter();
	const request = { access: { environment: 'live' } } as PreparedRequest;
	return {
		runTry,
		admission: () => admit({ read: () => allowed } as unknown as Item, request, runTry),
	};
}

const failure = { item: { index: 0 } as Item, error: new Error('No.') };

it.each<[string, Setting, act: (runTry: NodeRunTry) => void, expected: string]>([
	['given where nothing speaks against it', {}, () => {}, 'admitted'],
	['refused after a failure', {}, (runTry) => runTry.fail(failure, false), 'runEnded'],
	['given with continue', goesOn, (runTry) => runTry.fail(failure, false), 'admitted'],
	['refused if all fail', goesOn, (runTry) => runTry.fail(failure, true), 'runEnded'],
	['refused after a cancellation', {}, () => canceled.abort(), 'runEnded'],
	['delayed by a back-off', {}, (runTry) => runTry.run.backoff.begin(60), 'backoff'],
	['given where live keys are allowed', { allowed: 'live' }, () => {}, 'admitted'],
])('the admission of a call is %s', (_what, setting, act, expected) => {
	const { runTry, admission } = setUp(setting);
	act(runTry);
	expect(admission()).toBe(expected);
});

it('the admission of a call is refused to a live key where sandbox keys are allowed', () => {
	expect(setUp({ allowed: 'sandbox' }).admission).toThrow('allows sandbox keys only');
});

it('opens audio for many items without more listeners on one signal than Node warns about', async () => {
	const runTry = newTry();
	const audio = { identity: [], open: async () => await new Promise<never>(() => {}) };
	const request = {
		options: { answerTimeoutSeconds: 0 },
		payload: { kind: 'multipart', audio, isFromUrl: false, fields: [] },
	} as unknown as PreparedRequest;
	const count = EventEmitter.defaultMaxListeners + 1;
	for (let index = 0; index < count; index++) {
		sendWithRetries({ index, timeout: 0 } as Item, request, runTry).catch(() => {});
	}
	await new Promise<void>((resolve) => setImmediate(resolve));
	expect(getEventListeners(runTry.ended, 'abort').length).toBeLessThan(count);
	runTry.end();
});

it('does not send audio that opens after the run has ended, even if its source cannot be aborted', async () => {
	const runTry = newTry();
	let finishOpening = () => {};
	const opening = new Promise<void>((resolve) => (finishOpening = resolve));
	async function* chunks() {
		yield Buffer.from('RIFF');
	}
	const declared = { name: 'call.wav', mimeType: 'audio/wav' };
	const open = async () => {
		await opening;
		return { size: 4, declared, chunks: chunks(), close: () => {} };
	};
	const request = {
		options: { answerTimeoutSeconds: 0, fileFieldName: 'file' },
		access: { environment: 'sandbox' },
		payload: { kind: 'multipart', audio: { identity: [], open }, isFromUrl: false, fields: [] },
	} as unknown as PreparedRequest;
	const send = jest.fn(async () => await Promise.reject(new Error('No.')));
	const endpoint = { path: '/ai/amd', body: 'chosen', returns: 'any' };
	const item = { index: 0, timeout: 0, endpoint, read: () => 'any', send } as unknown as Item;
	const sending = sendWithRetries(item, request, runTry);
	await new Promise<void>((resolve) => setImmediate(resolve));
	runTry.end();
	finishOpening();
	expect(await sending).toBeUndefined();
	expect(send).not.toHaveBeenCalled();
	expect(runTry.run.sent.size).toBe(0);
});
