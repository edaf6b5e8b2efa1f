import { waitUntil } from '../../dev/lib/waitUntil.mts';
import type { AudioSource } from '../../nodes/VoiceSpeech/audio/reader.ts';
import { RunState } from '../../nodes/VoiceSpeech/run/runState.ts';
import { createRange } from '../support/calls.mts';
import { stubKey, createAudio, createSendError, StubAudio } from '../support/stubItem.mts';
import { isSettled, waitForever, rejectWhenAborted } from '../support/waiting.mts';
import {
	rejectRead,
	createDelayedResponse,
	readMessages,
	respondWith,
	run,
	StubService,
} from './stubService.mts';

it.each([422, 402, 500])(
	'starts no call after a response with status %i if the node stops on failure',
	async (code) => {
		const service = new StubService();
		const items = service.createItems({}, { responses: [respondWith(code)] }, {}, {});
		const outcome = await run(items);
		expect(outcome).toMatchObject({
			kind: 'failed',
			failure: { index: 1, request: { credential: { apiKey: stubKey } } },
		});
		expect(await readMessages(outcome)).toEqual([expect.stringContaining(`(${code})`)]);
		expect(service.requests).toEqual([0, 1]);
	},
);

/** Audio that opens for the check before the first call, and then in this way. */
function createAudioThatOpens(open: AudioSource['open']): AudioSource {
	const checked = new StubAudio();
	return createAudio(async (signal) => {
		const isCheck = checked.openings === 0;
		return isCheck ? await checked.open() : await open(signal);
	});
}

it('starts no call after the connection of a call broke if the node stops on failure', async () => {
	const service = new StubService();
	const breakOff = async () => await Promise.reject(createSendError({ isUnconnected: false }));
	const outcome = await run(service.createItems({ responses: [breakOff] }, {}));
	expect(outcome).toMatchObject({ kind: 'failed', failure: { index: 0 } });
	expect(service.requests).toEqual([0]);
});

it('starts no call after audio could not be opened if the node stops on failure', async () => {
	const service = new StubService();
	const audio = createAudioThatOpens(rejectRead);
	const outcome = await run(service.createItems({ audio }, {}));
	expect(outcome).toMatchObject({ kind: 'failed', failure: { index: 0 } });
	expect(service.requests).toEqual([]);
});

it('waits for the calls in progress after a failure, so that a later try does not pay their results again', async () => {
	const service = new StubService();
	const state = new RunState();
	const calls = createRange(3).map(createDelayedResponse);
	const items = service.createItems(...calls.map(({ respond }) => ({ responses: [respond] })), {});
	const running = run(items, { concurrency: 3 }, state);
	await waitUntil(() => service.inProgress === 3);
	calls[1]?.release(422);
	expect(await isSettled(running)).toBe(false);
	calls[0]?.release(200);
	expect(await isSettled(running)).toBe(false);
	calls[2]?.release(500);
	expect(await running).toMatchObject({ kind: 'failed', failure: { index: 1 } });
	expect(service.requests).toEqual([0, 1, 2]);
	expect(createRange(4).map((index) => state.getDebitRecord(index).debit)).toEqual([
		'debited',
		'refused',
		'possible',
		'notSent',
	]);
	expect(state.getLastPaid(0)).toMatchObject({ result: { output: { json: { a: 1 } } } });
});

it.each([
	{ reaction: 'reacts to its signal', open: rejectWhenAborted },
	{ reaction: 'reacts to nothing', open: waitForever },
])('does not wait for audio that opens and $reaction after a failure', async ({ open }) => {
	const service = new StubService();
	const audio = createAudioThatOpens(open);
	const items = service.createItems({ audio }, { responses: [respondWith(422)] });
	const outcome = await run(items, { concurrency: 2 });
	expect(outcome).toMatchObject({ kind: 'failed', failure: { index: 1 } });
	expect(service.requests).toEqual([1]);
});

it('ends the wait for a back-off after a failure if the node stops on failure', async () => {
	const service = new StubService();
	const state = new RunState();
	const second = createDelayedResponse();
	const items = service.createItems(
		{ responses: [respondWith(429, { 'retry-after': '60' })] },
		{ responses: [second.respond] },
	);
	const running = run(items, { concurrency: 2 }, state);
	await waitUntil(() => state.getDebitRecord(0).debit === 'refused');
	second.release(500);
	expect(await running).toMatchObject({ kind: 'failed', failure: { index: 1 } });
	expect(service.requests).toEqual([0, 1]);
});
