/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { Readable } from 'node:stream';

import type { Admission } from '../../nodes/VoiceSpeech/call/admission';
import { makeCall } from '../../nodes/VoiceSpeech/call/makeCall';
import { networkError } from '../../nodes/VoiceSpeech/errors/networkError';
import { textToSpeech } from '../../nodes/VoiceSpeech/resources/speech/textToSpeech';
import { clone } from '../../nodes/VoiceSpeech/resources/voice/clone';
import { mp3, wav } from '../support/recordings';
import {
	apiKey,
	audioOf,
	callWith,
	newAdmission,
	never,
	readFile,
	response,
	settleAll,
	untilAborted,
	type Send,
} from './call';

const otherKey = 'eak_test_another';

const succeeds: Send = async () => response(200);

it('sends audio as the file of a form, and closes it', async () => {
	const close = jest.fn();
	const received: Buffer[] = [];
	const { item, request } = await callWith(
		async (_request, body) => {
			const file = (body.content as FormData).get('file') as File;
			for await (const piece of file.stream() as unknown as AsyncIterable<Uint8Array>) {
				received.push(Buffer.from(piece));
			}
			return response(200);
		},
		{ open: audioOf(5000, undefined, close) },
	);
	expect(await makeCall(item, request, newAdmission(), 0)).toMatchObject({ kind: 'completed' });
	expect(Buffer.concat(received)).toEqual(Buffer.alloc(5000, 'RIFF'));
	expect(close).toHaveBeenCalled();
});

describe('if an upload fails', () => {
	it.each([
		{
			what: 'the network is the reason for complete audio',
			fault: undefined,
			message: 'The call failed on the network',
		},
		{
			what: 'audio that cannot be read to its end is the reason',
			fault: new Error('disk gone'),
			message: 'The audio could not be read to its end',
		},
		{
			what: 'audio whose server refused a connection during the upload proves nothing of the request',
			fault: new Error('connect ECONNREFUSED'),
			message: 'The audio could not be read to its end',
			provablyUnsent: true,
		},
	])('if an upload fails, $what', async ({ fault, message, provablyUnsent = false }) => {
		const close = jest.fn();
		const { item, request } = await callWith(
			async (_request, body) => {
				await readFile(body).catch(() => {});
				throw networkError({ code: '', message: 'x', syscall: '', provablyUnsent });
			},
			{ open: audioOf(5000, fault, close) },
		);
		expect(await makeCall(item, request, newAdmission(), 0)).toMatchObject({
			kind: 'failed',
			error: { message },
			payment: 'possible',
		});
		expect(close).toHaveBeenCalled();
	});
});

// The service may respond before the end of the upload.
describe('audio that cannot be read to its end does not hide the response', () => {
	it.each([
		{
			what: 'a file that n8n cannot store',
			status: 200,
			body: mp3(10),
			end: {
				error: { message: 'The service returned the file, but n8n could not store it' },
				payment: 'debited',
			},
		},
		{
			what: 'a page in place of a file',
			status: 200,
			body: Buffer.from('<html>Sorry</html>'),
			end: { error: { message: 'The service returned HTML instead of audio' } },
		},
		{ what: 'a refusal', status: 402, body: Buffer.from('{}'), end: { error: { status: 402 } } },
	])(
		'shows the response although the audio could not be read to its end, if it is $what',
		async ({ status, body, end }) => {
			const { item, request } = await callWith(
				async (_request, sent) => {
					await expect(readFile(sent)).rejects.toThrow();
					return response(status, { 'content-type': 'audio/mpeg' }, Readable.from([body]));
				},
				{
					open: audioOf(5000, new Error('disk gone')),
					store: async () => await Promise.reject(new Error('disk full')),
				},
			);
			const returnsAudio = { ...item, operation: textToSpeech };
			const found = await makeCall(returnsAudio, request, newAdmission(), 0);
			expect(found).toMatchObject({ kind: 'failed', ...end });
		},
	);
});

describe('audio that does not open', () => {
	it.each([
		{ what: 'with an error', open: async () => await Promise.reject(new Error('gone')) },
		{ what: 'because reading its first bytes fails', open: audioOf(100, new Error('gone')) },
	])('fails the item and sends nothing if audio does not open $what', async ({ open }) => {
		const { item, request, send } = await callWith(succeeds, { open });
		expect(await makeCall(item, request, newAdmission(), 0)).toMatchObject({
			kind: 'failed',
			error: {
				message: 'The audio could not be read',
				description: expect.stringContaining('(gone)'),
			},
			payment: 'notSent',
		});
		expect(send).not.toHaveBeenCalled();
	});

	it('fails the item and sends nothing if the audio is empty', async () => {
		const close = jest.fn();
		const { item, request, send } = await callWith(succeeds, {
			open: audioOf(0, undefined, close),
		});
		expect(await makeCall(item, request, newAdmission(), 0)).toMatchObject({
			error: { message: "The file 'call.wav' is empty" },
			payment: 'notSent',
		});
		expect(send).not.toHaveBeenCalled();
		expect(close).toHaveBeenCalled();
	});
});

const failure = { index: 1, error: Promise.resolve(new Error('refused')), apiKey };

const blocks: Array<{ kind: string; stopsOnFailure: boolean; act(admission: Admission): void }> = [
	{
		kind: 'runFailed',
		stopsOnFailure: true,
		act: (admission) => admission.fail({ ...failure, apiKey: otherKey }),
	},
	{
		kind: 'keyRefused',
		stopsOnFailure: false,
		act: (admission) => admission.refuseKey(apiKey, failure),
	},
];

describe.each(blocks)('while audio opens, and then another call fails ($kind)', (row) => {
	const { kind, stopsOnFailure, act } = row;
	it.each([
		{ what: 'reacts to its signal', open: untilAborted },
		{ what: 'reacts to nothing', open: never },
		{ what: 'opens, and whose first bytes never come', open: neverRead },
	])(
		`abandons a source that $what without failing its item, after another call fails (${kind})`,
		async ({ open }) => {
			const { item, request, send } = await callWith(succeeds, { open });
			const admission = newAdmission({ stopsOnFailure });
			const calling = makeCall(item, request, admission, 0);
			await settleAll();
			act(admission);
			expect(await calling).toMatchObject({ kind: 'blocked', block: { kind } });
			expect(send).not.toHaveBeenCalled();
		},
	);

	it(`starts no call whose audio opens at the same time as another call fails, and closes it (${kind})`, async () => {
		const close = jest.fn();
		const admission = newAdmission({ stopsOnFailure });
		const { item, request, send } = await callWith(succeeds, {
			async open(signal) {
				const opened = await audioOf(4, undefined, close)(signal);
				// After the last read before the upload.
				close.mockImplementationOnce(() => act(admission));
				return opened;
			},
		});
		expect(await makeCall(item, request, admission, 0)).toMatchObject({
			kind: 'blocked',
			block: { kind },
		});
		expect(send).not.toHaveBeenCalled();
		expect(close).toHaveBeenCalled();
	});
});

/** Reads end only if the signal aborts. */
async function neverRead(signal: AbortSignal) {
	async function* chunks() {
		yield await untilAborted(signal);
	}
	const declared = { name: '', mimeType: '' };
	return { size: undefined, declared, chunks: chunks(), close() {} };
}

it('stops no other call by a failure that concerns only its own item while audio opens', async () => {
	let finishOpening = () => {};
	const opening = new Promise<void>((resolve) => (finishOpening = resolve));
	const { item, request } = await callWith(succeeds, {
		async open(signal) {
			await opening;
			return await audioOf(4)(signal);
		},
	});
	const admission = newAdmission({ stopsOnFailure: false });
	const calling = makeCall(item, request, admission, 0);
	await settleAll();
	admission.fail(failure);
	admission.refuseKey(otherKey, { ...failure, apiKey: otherKey });
	finishOpening();
	expect(await calling).toMatchObject({ kind: 'completed' });
});

it('does not send a call whose audio opens while a back-off begins, and closes its audio', async () => {
	const close = jest.fn();
	const admission = newAdmission();
	const { item, request, send } = await callWith(succeeds, {
		async open(signal) {
			admission.backoff.begin(60);
			return await audioOf(4, undefined, close)(signal);
		},
	});
	expect(await makeCall(item, request, admission, 0)).toEqual({
		kind: 'blocked',
		block: { kind: 'backoff' },
	});
	expect(send).not.toHaveBeenCalled();
	expect(close).toHaveBeenCalled();
});

it('does not send a call that is canceled while its audio opens', async () => {
	const cancel = new AbortController();
	const { item, request, send } = await callWith(succeeds, { open: untilAborted });
	const calling = makeCall(item, request, newAdmission({ cancelSignal: cancel.signal }), 0);
	await settleAll();
	cancel.abort();
	expect(await calling).toEqual({ kind: 'blocked', block: { kind: 'canceled' } });
	expect(send).not.toHaveBeenCalled();
});

describe('the findings about a voice sample', () => {
	const sample = (json: string) => {
		const body = Readable.from([Buffer.from(json)]);
		const send: Send = async () => response(200, { 'content-type': 'application/json' }, body);
		const bytes = wav(0.1);
		async function* chunks() {
			yield bytes;
		}
		const declared = { name: 'a.wav', mimeType: 'audio/wav' };
		const open = async () => ({ size: bytes.length, declared, chunks: chunks(), close() {} });
		return { send, open };
	};

	it.each([
		{ json: '{"voice_id":"vc_1"}', sampleWarnings: expect.arrayContaining([expect.any(String)]) },
		{ json: '{"sampleWarnings":"own"}', sampleWarnings: 'own' },
	])(
		'adds the findings about a voice sample to the response $json, unless it has a field of this name',
		async (row) => {
			const { send, open } = sample(row.json);
			const { item, request } = await callWith(send, { open });
			const end = await makeCall({ ...item, operation: clone }, request, newAdmission(), 0);
			const json = {
				...(JSON.parse(row.json) as object),
				sampleWarnings: row.sampleWarnings as unknown,
			};
			expect(end).toEqual({ kind: 'completed', output: { json } });
		},
	);
});

it('completes an upload in progress although another item fails', async () => {
	const admission = newAdmission();
	const { item, request } = await callWith(
		async (_request, body) => {
			const error = Promise.resolve(new Error('other'));
			admission.fail({ index: 0, error, apiKey: otherKey });
			await settleAll();
			await readFile(body);
			return response(200);
		},
		{
			open: async (signal) => {
				async function* chunks() {
					yield Buffer.alloc(5000, 'RIFF');
					if (signal.aborted) throw new Error('aborted');
					yield Buffer.alloc(5000, 'RIFF');
				}
				const declared = { name: 'call.wav', mimeType: 'audio/wav' };
				return { size: undefined, declared, chunks: chunks(), close() {} };
			},
		},
	);
	expect(await makeCall(item, request, admission, 0)).toMatchObject({ kind: 'completed' });
});
