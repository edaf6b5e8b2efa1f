import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { RunState } from '../../nodes/VoiceSpeech/run/runState.ts';
import { createRange } from '../support/calls.mts';
import { createResponse, otherStubKey, stubCredential } from '../support/stubItem.mts';
import { useClock } from '../support/clock.mts';
import { isSettled, settle } from '../support/waiting.mts';
import {
	continueOnFailure,
	rejectRead,
	createDelayedResponse,
	listKinds,
	respondWith,
	run,
	StubService,
} from './stubService.mts';

/** An interval that no test waits for. */
const oneMinute = { size: 1, intervalMs: 60_000 };

const clock = useClock();

it('starts all items of a batch together, and each batch of n8n after its interval', async () => {
	const service = new StubService();
	const calls = createRange(5).map(createDelayedResponse);
	const items = service.createItems(...calls.map(({ respond }) => ({ responses: [respond] })));
	const running = run(items, { concurrency: 5, batching: { size: 2, intervalMs: 100 } });
	await clock.advance(200);
	await waitUntil(() => service.requests.length === 5);
	expect(service.requests).toEqual(createRange(5));
	expect(service.times).toEqual([0, 0, 100, 100, 200]);
	for (const { release } of calls) release(200);
	await running;
});

it('makes batches of two or three items of a batch size of 2.5', async () => {
	const service = new StubService();
	const items = service.createItems(...createRange(10).map(() => ({})));
	const running = run(items, { concurrency: 10, batching: { size: 2.5, intervalMs: 100 } });
	await clock.advance(300);
	await running;
	expect(service.times).toEqual([0, 0, 0, 100, 100, 200, 200, 200, 300, 300]);
});

it('starts the items of a batch in their order, although they began to wait at different times', async () => {
	const service = new StubService();
	const size = 8;
	const setups = createRange(20 * size).map((index) => {
		const respond = async () => {
			await settle(index % size);
			return createResponse(200);
		};
		return { responses: [respond] };
	});
	const batching = { size, intervalMs: 40 };
	const running = run(service.createItems(...setups), { concurrency: size, batching });
	await clock.advance(20 * batching.intervalMs);
	await running;
	expect(service.requests).toEqual(createRange(setups.length));
});

it('counts the interval of Batching from start to start, whether or not the calls before have ended', async () => {
	const service = new StubService();
	const first = createDelayedResponse();
	const running = run(service.createItems({ responses: [first.respond] }, {}), {
		concurrency: 2,
		batching: { size: 1, intervalMs: 100 },
	});
	await clock.advance(100);
	await waitUntil(() => service.requests.length === 2);
	expect(service.times).toEqual([0, 100]);
	first.release(200);
	expect(listKinds(await running)).toEqual(['succeeded', 'succeeded']);
});

it('starts batches at once whose time has come while an earlier call was in progress', async () => {
	const service = new StubService();
	const first = createDelayedResponse();
	const others = createRange(9).map(() => ({}));
	const items = service.createItems({ responses: [first.respond] }, ...others);
	const running = run(items, { batching: oneMinute });
	await waitUntil(() => service.inProgress === 1);
	// The minutes of all batches pass. If another batch waited after them, this test would not end in time.
	await clock.advance(10 * oneMinute.intervalMs);
	first.release(200);
	expect(listKinds(await running)).toEqual(items.map(() => 'succeeded'));
});

it.each([
	{ reaction: 'stops', stopsOnFailure: true },
	{ reaction: 'continues', stopsOnFailure: false },
])(
	'counts no item whose result is known from an earlier try as one of a batch if the node $reaction on failure',
	async ({ stopsOnFailure }) => {
		const service = new StubService();
		const failsFirst = { responses: [respondWith(500), respondWith(200)] };
		const items = service.createItems({}, {}, failsFirst);
		const state = new RunState();
		await run(items, { stopsOnFailure }, state);
		// No test waits for the third batch.
		const running = run(items, { stopsOnFailure, batching: oneMinute }, state);
		expect(listKinds(await running)).toEqual(['kept', 'kept', 'succeeded']);
		expect(service.requests).toEqual([0, 1, 2, 2]);
	},
);

it('checks the items of all batches before the first call if the node stops on failure', async () => {
	const service = new StubService();
	const items = service.createItems({}, {}, { readCredential: rejectRead });
	const outcome = await run(items, { batching: oneMinute });
	expect(outcome).toMatchObject({ kind: 'failed', failure: { index: 2 } });
	expect(service.requests).toEqual([]);
});

it('checks an item when its batch starts if the node continues on failure', async () => {
	const service = new StubService();
	const requestsAtChecks: number[][] = [];
	const second = {
		async readCredential() {
			requestsAtChecks.push([...service.requests]);
			return stubCredential;
		},
	};
	const batching = { size: 1, intervalMs: 100 };
	const running = run(service.createItems({}, second), { ...continueOnFailure, batching });
	await clock.advance(100);
	await running;
	expect(requestsAtChecks).toEqual([[0]]);
	expect(service.requests).toEqual([0, 1]);
	expect(service.times).toEqual([0, 100]);
});

it('checks an item whose request has changed since an earlier try when its batch starts', async () => {
	const service = new StubService();
	// If no item failed, the later try would read nothing.
	const items = service.createItems({}, {}, { responses: [respondWith(500)] });
	const state = new RunState();
	await run(items, continueOnFailure, state);
	const requestsAtReads: number[] = [];
	for (const item of items) {
		item.readCredential = async () => {
			requestsAtReads.push(service.requests.length);
			return { ...stubCredential, apiKey: otherStubKey };
		};
	}
	const batching = { size: 1, intervalMs: 100 };
	const running = run(items, { ...continueOnFailure, batching }, state);
	await clock.advance(100);
	await clock.advance(100);
	await running;
	expect(service.requests).toEqual([0, 1, 2, 0, 1, 2]);
	// An item that succeeded is read before the wait, to find out whether it has changed, and again after it.
	expect(requestsAtReads).toEqual([3, 3, 4, 4, 5]);
});

it('ends the wait for the next batch after a failure if the node stops on failure', async () => {
	const service = new StubService();
	const items = service.createItems({ responses: [respondWith(422)] }, {}, {});
	const outcome = await run(items, { batching: oneMinute, concurrency: 3 });
	expect(outcome).toMatchObject({ kind: 'failed', failure: { index: 0 } });
	expect(service.requests).toEqual([0]);
});

it('waits for no batch of items whose key was refused', async () => {
	const service = new StubService();
	const items = service.createItems({ responses: [respondWith(401)] }, {}, {});
	const outcome = await run(items, { ...continueOnFailure, batching: oneMinute });
	expect(listKinds(outcome)).toEqual(['failed', 'blocked', 'blocked']);
	expect(service.requests).toEqual([0]);
});

it('waits for the batch of an item with another key than the one that was refused', async () => {
	const service = new StubService();
	const refused = { responses: [respondWith(401)] };
	const items = service.createItems(refused, {}, { key: otherStubKey });
	const running = run(items, { ...continueOnFailure, batching: oneMinute });
	await clock.advance(oneMinute.intervalMs);
	expect(listKinds(await running)).toEqual(['failed', 'blocked', 'succeeded']);
	// The blocked item takes no place in a batch.
	expect(service.times).toEqual([0, oneMinute.intervalMs]);
});

it('reads the credential of an item once without Batching, also after another key was refused', async () => {
	const service = new StubService();
	let reads = 0;
	const other = {
		async readCredential() {
			reads++;
			return { ...stubCredential, apiKey: otherStubKey };
		},
	};
	const items = service.createItems({ responses: [respondWith(401)] }, other);
	expect(listKinds(await run(items, continueOnFailure))).toEqual(['failed', 'succeeded']);
	expect(reads).toBe(1);
});

it('waits for the batches of items that already waited when their key was refused', async () => {
	const service = new StubService();
	const items = service.createItems({ responses: [respondWith(401)] }, {}, {}, {});
	const batching = { size: 1, intervalMs: 100 };
	const running = run(items, { ...continueOnFailure, batching, concurrency: 2 });
	await clock.advance(99);
	expect(await isSettled(running)).toBe(false);
	await clock.advance(1);
	expect(listKinds(await running)).toEqual(['failed', 'blocked', 'blocked', 'blocked']);
	expect(service.requests).toEqual([0]);
});
