import { waitUntil } from '../../dev/lib/waitUntil.mts';
import {
	createNumberedItems,
	listPairedItems,
	sortNumbers,
	type OnErrorChoice,
	respondWhenInProgress,
	createRange,
	enableBatching,
	readItemNumber,
} from '../support/calls.mts';
import { nodeKey, useNode, type RunItemsSetup } from '../support/node.mts';
import { speechToTextParameters } from '../support/nodeParameters.mts';
import { listErrors, expectNothingDebited } from '../support/outcome.mts';
import { respondWithJson, ScriptedServer } from '../support/servers/scriptedServer.mts';
import { settle, settleAll } from '../support/waiting.mts';

const node = useNode();

// test/credits/invariants.test.mts tests expressions that throw, and test/engine/requests.test.mts other parameters.

it('names the first bad item if On Error is Stop Workflow, also of a later batch', async () => {
	const items = createNumberedItems(6);
	for (const index of [3, 5]) items[index]!.json.number = ' ';
	const { calls, error } = await node.runItems(items, { parameters: enableBatching(2, 60_000) });
	expect(calls).toEqual([]);
	expect(error).toMatchObject({ message: "'Text' is empty", context: { itemIndex: 3 } });
});

// test/engine/inputFiles.test.mts and test/call/openBody.test.mts test other files.
it('sends nothing if the file of the last item is not audio', async () => {
	const items = await node.createItemsWithFile({}, {});
	const data = Buffer.from('Minutes of the call').toString('base64');
	items.push({ json: {}, binary: { data: { data, mimeType: 'audio/wav', fileName: 'call.wav' } } });
	const parameters = { ...speechToTextParameters, options: { concurrency: 1 } };
	const { error } = await node.run(parameters, { items });
	expect(node.service.requestCount).toBe(0);
	const message = "The file 'call.wav' is not audio: its content is text";
	expect(error).toMatchObject({ message, context: { itemIndex: 2 } });
});

/** The clock of these tests in ms. It never goes back, because all loops share the start of their last turn. */
let now = 0;

it.each<[what: string, onError: OnErrorChoice, isBad: (item: number) => boolean]>([
	['are checked before the first call', 'Stop Workflow', (item) => item === 99],
	['fail one after the other', 'Continue', () => true],
])('lets n8n do other work while many items %s', async (_, onError, isBad) => {
	// The clock makes the checks slow on a machine of any speed.
	now = Math.max(now, performance.now());
	const clock = jest.spyOn(performance, 'now').mockImplementation(() => now++);
	let turns = 0;
	let isRunning = true;
	const countTurn = () => {
		turns++;
		if (isRunning) setImmediate(countTurn);
	};
	setImmediate(countTurn);
	/** Turns of the event loop when the node read the credential of each item. */
	const turnsAt: number[] = [];
	try {
		const { calls } = await node.runItems(100, {
			onError,
			credential: (item) => {
				turnsAt[item] = turns;
				return { apiKey: isBad(item) ? '' : nodeKey };
			},
		});
		expect(calls).toEqual([]);
	} finally {
		isRunning = false;
		clock.mockRestore();
	}
	expect(turnsAt[99]).toBeGreaterThan(turnsAt[0]!);
});

it('makes as many calls at once as Concurrency of the first item says', async () => {
	const { items, calls } = await node.runItems(12, {
		// A slow machine must not hide calls, so no response comes before that many are in progress.
		respond: () => respondWhenInProgress(node.service, 3, respondWithJson({})),
		concurrency: '={{ 3 + Number($json.number) * 10 }}',
	});
	expect(node.service.maxInProgress).toBe(3);
	expect(sortNumbers(calls)).toEqual(createRange(12));
	expect(listPairedItems(items)).toEqual(createRange(12));
});

it('sends all items but the first with the default, if the value for the first item is invalid', async () => {
	const { items } = await node.runItems(8, {
		respond: () => respondWhenInProgress(node.service, 5, respondWithJson({ a: 1 })),
		onError: 'Continue',
		concurrency: '={{ Number($json.number) }}',
	});
	expect(node.service.maxInProgress).toBe(5);
	expect(items.map(({ json }) => json)).toEqual([
		expect.objectContaining({
			error: expect.objectContaining({
				message: "'Concurrency' is '0', not a number of at least 1",
				debit: 'notSent',
			}),
		}),
		...createRange(7).map(() => ({ a: 1 })),
	]);
});

const throwsForFirstItem = '={{ $itemIndex === 0 ? $("Nowhere").item.json.x : "" }}';

it('keeps Concurrency if an expression of another option throws for the first item', async () => {
	const { all } = await node.runItems(6, {
		respond: () => respondWhenInProgress(node.service, 1, respondWithJson({})),
		onError: 'Continue',
		concurrency: 1,
		options: { outputFileName: throwsForFirstItem },
	});
	expect(all).toHaveLength(6);
	expect(node.service.maxInProgress).toBe(1);
});

// test/credits/invariants.test.mts tests, in any order of events, that each item has its own key.

it('sends only items whose key the node allows for them', async () => {
	const allowed = ['live', 'sandbox', 'sandbox', 'live'];
	const items = createNumberedItems(4).map(({ json }, item) => ({
		json: { ...json, allowed: allowed[item]! },
	}));
	const output = await node.runItems(items, {
		parameters: { allowedEnvironment: '={{ $json.allowed }}' },
		credential: (item) => ({
			environment: item < 2 ? 'live' : 'sandbox',
			apiKey: item < 2 ? 'eak_live_wire' : nodeKey,
		}),
		onError: 'Continue',
	});
	expect(sortNumbers(output.calls)).toEqual([0, 2]);
	const errors = listErrors(output);
	expect(errors[1]).toContain('This node allows sandbox keys only');
	expect(errors[3]).toContain('This node allows live keys only');
});

const other = ScriptedServer.use();

it('sends each item to its own base URL', async () => {
	const { calls } = await node.runItems(3, {
		credential: (index) => ({ baseUrl: index === 1 ? other.baseUrl : node.service.baseUrl }),
	});
	expect(other.requests.map(readItemNumber)).toEqual([1]);
	expect(sortNumbers(calls)).toEqual([0, 2]);
});

it('reads the credential once for each item, one after the other, and sends it as it was checked', async () => {
	let reads = 0;
	let reading = 0;
	let most = 0;
	const { calls } = await node.runItems(20, {
		concurrency: 50,
		// n8n resolves the credential's expressions again at each read.
		credential: async () => {
			const apiKey = `eak_test_${reads++}`;
			reading++;
			most = Math.max(most, reading);
			await settle(3);
			reading--;
			return { apiKey };
		},
	});
	expect(reads).toBe(20);
	// n8n has few database connections.
	expect(most).toBe(1);
	expect(calls).toHaveLength(20);
	const keys = node.service.requests.map(({ headers }) => headers['x-api-key']);
	expect(keys).toEqual(calls.map((item) => `eak_test_${item}`));
});

it('reads the credential of an item once if the Items per Batch are -1, also after another key was refused', async () => {
	const reads = [0, 0];
	const { calls } = await node.runItems(2, {
		parameters: enableBatching(-1, 10),
		respond: (item) => (item === 0 ? 401 : 200),
		credential: (item) => {
			reads[item]!++;
			return { apiKey: `eak_test_${item}` };
		},
		concurrency: 1,
		onError: 'Continue',
	});
	expect(calls).toEqual([0, 1]);
	expect(reads).toEqual([1, 1]);
});

it('fails only the item whose credential cannot be read if On Error is Continue', async () => {
	const output = await node.runItems(3, {
		onError: 'Continue',
		credential: (index) => {
			if (index === 1) throw new Error('Referenced node is unexecuted');
			return {};
		},
	});
	expect(sortNumbers(output.calls)).toEqual([0, 2]);
	const [, failed] = listErrors(output);
	expect(failed).toContain('unexecuted');
	expectNothingDebited(failed);
});

// test/run/batchSchedule.test.mts tests when batches start, and test/credits/failures.test.mts that none starts after a
// failure.

/** Batches of this size. No test waits for the second one. */
const createEndlessBatches = (size: number) => enableBatching(size, 600_000);

/** Cancels a run in its first batch. */
const cancelInFirstBatch: RunItemsSetup['onStart'] = async (cancelRun) => {
	await waitUntil(() => node.service.requestCount > 0);
	await settleAll();
	cancelRun();
};

it('a batch size of 0 means one item, and -1 turns Batching off', async () => {
	const none = await node.runItems(3, {
		parameters: createEndlessBatches(0),
		onStart: cancelInFirstBatch,
	});
	expect(none.calls).toEqual([0]);
	const off = await node.runItems(3, { parameters: createEndlessBatches(-1) });
	expect(off.calls).toEqual([0, 1, 2]);
});

it('keeps Batching if an expression of another option throws for the first item', async () => {
	const { requestOptions } = createEndlessBatches(2);
	const { calls } = await node.runItems(4, {
		onError: 'Continue',
		parameters: { requestOptions: { ...requestOptions, proxy: throwsForFirstItem } },
		onStart: cancelInFirstBatch,
	});
	// The first batch has the item that fails and this one.
	expect(calls).toEqual([1]);
});

it('checks an item when its batch starts if the node continues on failure', async () => {
	const checked: number[] = [];
	await node.runItems(2, {
		onError: 'Continue',
		parameters: createEndlessBatches(1),
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
		parameters: createEndlessBatches(2),
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
		parameters: { language: '={{ String(Math.random()) }}', ...enableBatching(1, 1) },
		credential: (item) => {
			checked.push(item);
			return {};
		},
		onError: 'Continue',
		concurrency: 1,
		maxTries: 2,
	});
	expect(calls).toEqual([0, 1, 0, 1]);
	// The check before the wait finds out whether the item that succeeded has changed.
	expect(checked).toEqual([0, 1, 0, 1, 1]);
});
