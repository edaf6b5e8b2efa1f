import { waitUntil } from '../../dev/lib/waitUntil.mts';
import type { OpenAudio } from '../../nodes/VoiceSpeech/audio/reader.ts';
import { RunState } from '../../nodes/VoiceSpeech/run/runState.ts';
import { StubAudio } from '../support/stubItem.mts';
import { useClock } from '../support/clock.mts';
import {
	continueOnFailure,
	listKinds,
	readMessages,
	respondWith,
	run,
	StubService,
} from './stubService.mts';

const clock = useClock();

it('sends a refused call again after the wait, which holds back the other calls', async () => {
	const service = new StubService();
	const state = new RunState();
	const items = service.createItems(
		{ responses: [respondWith(429, { 'retry-after': '0.3' }), respondWith(200)] },
		{},
	);
	const running = run(items, { concurrency: 2, batching: { size: 1, intervalMs: 50 } }, state);
	await waitUntil(() => state.getDebitRecord(0).debit === 'refused');
	await clock.advance(299);
	expect(service.requests).toEqual([0]);
	await clock.advance(1);
	expect(listKinds(await running)).toEqual(['succeeded', 'succeeded']);
	expect(state.getDebitRecord(0).debit).toBe('debited');
	expect([...service.requests].sort()).toEqual([0, 0, 1]);
	expect(service.times).toEqual([0, 300, 300]);
});

it('sends a refused call again as often as Rate Limit Retries allows, and then fails', async () => {
	const service = new StubService();
	const options = { rateLimitRetries: 2 };
	const responses = [respondWith(429, { 'retry-after': '0' })];
	const items = service.createItems({ responses, parameters: { options } });
	const outcome = await run(items, continueOnFailure);
	expect(listKinds(outcome)).toEqual(['failed']);
	expect(await readMessages(outcome)).toEqual([expect.stringContaining('(429)')]);
	expect(service.requests).toEqual([0, 0, 0]);
});

/** Audio during whose first opening the service asks another call to wait. */
class AudioThatDelays extends StubAudio {
	constructor(private readonly state: RunState) {
		super();
	}

	override async open(): Promise<OpenAudio> {
		if (this.openings === 0) this.state.backoff.begin(0.5);
		return await super.open();
	}
}

it('leaves a refused call all its retries after it has waited for another call', async () => {
	const service = new StubService();
	const state = new RunState();
	const audio = new AudioThatDelays(state);
	const items = service.createItems({
		audio,
		responses: [respondWith(429, { 'retry-after': '0' }), respondWith(200)],
		parameters: { options: { rateLimitRetries: 1 } },
	});
	const running = run(items, {}, state);
	await waitUntil(() => state.backoff.isInEffect);
	await clock.advance(500);
	expect(listKinds(await running)).toEqual(['succeeded']);
	// The audio was opened for the call that the back-off held back, for the refused call, and for its retry.
	expect(audio.openings).toBe(3);
	expect(service.requests).toEqual([0, 0]);
});

it('holds back the calls of the next try of the same run during a back-off', async () => {
	const service = new StubService();
	const state = new RunState();
	state.backoff.begin(0.2);
	const running = run(service.createItems({}), {}, state);
	await clock.advance(199);
	expect(service.requests).toEqual([]);
	await clock.advance(1);
	await running;
	expect(service.times).toEqual([200]);
});
