import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { enableBatching, createNumberedItems } from '../support/calls.mts';
import { useNode, type RunItemsSetup } from '../support/node.mts';
import { settleAll } from '../support/waiting.mts';

// test/run/batchSchedule.test.mts tests when batches start, test/credits/failures.test.mts that none starts after a
// failure, and test/credits/checksBeforeSending.test.mts that the items of all batches are checked before the first call.

const node = useNode();

/** Batches of this size. No test waits for the second one. */
const createEndlessBatches = (size: number) => ({ size, intervalMs: 600_000 });

/** Cancels a run in its first batch. */
const cancelInFirstBatch: RunItemsSetup['onStart'] = async (cancelRun) => {
	await waitUntil(() => node.service.requestCount > 0);
	await settleAll();
	cancelRun();
};

it.each([
	{ size: -1, means: 'turns Batching off', calls: [0, 1, 2] },
	{ size: 0, means: 'means one item', calls: [0] },
])('a batch size of $size $means', async ({ size, calls: expected }) => {
	const onStart = size === 0 ? { onStart: cancelInFirstBatch } : {};
	const { calls } = await node.runItems(3, { batches: createEndlessBatches(size), ...onStart });
	expect(calls).toEqual(expected);
});

it('keeps Batching if an expression of another option throws for the first item', async () => {
	const { requestOptions } = enableBatching(2, 600_000);
	const proxy = '={{ $itemIndex === 0 ? $("Nowhere").item.json.x : "" }}';
	const { calls } = await node.runItems(4, {
		onError: 'Continue',
		parameters: { requestOptions: { ...requestOptions, proxy } },
		onStart: cancelInFirstBatch,
	});
	// The first batch has the item that fails and this one.
	expect(calls).toEqual([1]);
});

it('checks an item when its batch starts if the node continues on failure', async () => {
	const checked: number[] = [];
	await node.runItems(2, {
		onError: 'Continue',
		batches: createEndlessBatches(1),
		credential: (item) => {
			checked.push(item);
			return {};
		},
		onStart: cancelInFirstBatch,
	});
	expect(checked).toEqual([0]);
});

it('gives items with a refused key no place in a batch, but those with another key', async () => {
	const { calls, all } = await node.runItems(4, {
		respond: (item) => (item === 0 ? 401 : 200),
		credential: (item) => ({ apiKey: item === 3 ? 'eak_test_other' : 'eak_test_refused' }),
		onError: 'Continue',
		concurrency: 1,
		batches: createEndlessBatches(2),
	});
	expect(calls).toEqual([0, 3]);
	expect(all).toHaveLength(4);
});

it('gives items whose result is known no place in a batch of a later try', async () => {
	const items = createNumberedItems(3);
	const { requestOptions } = enableBatching(1, 0);
	Object.assign(requestOptions.batching.batch, { batchInterval: '={{ $json.interval }}' });
	// The first try has no batches.
	const get = () => (node.service.requestCount < 3 ? 0 : 600_000);
	Object.defineProperty(items[0]!.json, 'interval', { enumerable: true, get });
	const { calls, error } = await node.runItems(items, {
		respond: (item, earlier) => (item === 2 && earlier === 0 ? 500 : 200),
		concurrency: 1,
		maxTries: 2,
		parameters: { requestOptions },
	});
	expect(error).toBeUndefined();
	expect(calls).toEqual([0, 1, 2, 2]);
});

it('checks an item whose request has changed since an earlier try again when its batch starts', async () => {
	const checked: number[] = [];
	const { calls } = await node.runItems(2, {
		respond: (item, earlier) => (item === 0 && earlier === 0 ? 500 : 200),
		parameters: { language: '={{ String(Math.random()) }}' },
		credential: (item) => {
			checked.push(item);
			return {};
		},
		onError: 'Continue',
		concurrency: 1,
		maxTries: 2,
		batches: { size: 1, intervalMs: 1 },
	});
	expect(calls).toEqual([0, 1, 0, 1]);
	// The check before the wait finds out whether the item that succeeded has changed.
	expect(checked).toEqual([0, 1, 0, 1, 1]);
});
