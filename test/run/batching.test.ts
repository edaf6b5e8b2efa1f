import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { createRange } from '../support/calls';
import { createResponse, stubCredential } from '../support/stubItem';
import { useClock } from '../support/clock';
import { settle } from '../support/waiting';
import {
	continueOnFailure,
	rejectRead,
	createDelayedResponse,
	listKinds,
	respondWith,
	run,
	StubService,
} from './stubService';

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

it('ends the wait for the next batch after a failure if the node stops on failure', async () => {
	const service = new StubService();
	const items = service.createItems({ responses: [respondWith(422)] }, {}, {});
	const outcome = await run(items, { batching: oneMinute, concurrency: 3 });
	expect(outcome).toMatchObject({ kind: 'failed', failure: { index: 0 } });
	expect(service.requests).toEqual([0]);
});
