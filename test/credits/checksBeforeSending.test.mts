import type { INodeExecutionData } from 'n8n-workflow';

import {
	createNumberedItems,
	listPairedItems,
	sortNumbers,
	type OnErrorChoice,
} from '../support/calls.mts';
import { callWav, nodeKey, useNode } from '../support/node.mts';
import { speechToTextParameters } from '../support/nodeParameters.mts';

// test/credits/invariants.test.mts tests empty texts, expressions that throw, and credentials.

const node = useNode();

it('names the first bad item if On Error is Stop Workflow, also of a later batch', async () => {
	const items = createNumberedItems(6);
	for (const index of [3, 5]) items[index]!.json.number = ' ';
	const { calls, error } = await node.runItems(items, { batches: { size: 2, intervalMs: 60_000 } });
	expect(calls).toEqual([]);
	expect(error).toMatchObject({ message: "'Text' is empty", context: { itemIndex: 3 } });
});

const stored = { id: 'filesystem-v2:gone', mimeType: 'audio/wav', data: 'filesystem-v2' };

it.each<{ what: string; bytes?: Buffer; binary?: object; message: string }>([
	{ what: 'is missing', message: 'The item has no file' },
	{ what: 'is empty', bytes: Buffer.alloc(0), message: "The file 'call.wav' is empty" },
	{
		what: 'is not audio',
		bytes: Buffer.from('Minutes of the call'),
		message: "The file 'call.wav' is not audio: its content is text",
	},
	{ what: 'was deleted', binary: { data: stored }, message: 'The audio could not be read' },
])('sends nothing if the file of the last item $what', async ({ bytes, binary, message }) => {
	const last =
		bytes === undefined
			? { json: {}, ...(binary && { binary }) }
			: await node.engine.createItemWithFiles({}, { data: { ...callWav, bytes } });
	const items = [...(await node.createItemsWithFile({}, {})), last as INodeExecutionData];
	const { error } = await node.run(speechToTextParameters, { items });
	expect(node.service.requestCount).toBe(0);
	expect(error).toMatchObject({ message, context: { itemIndex: 2 } });
	// A path of the storage would be one of n8n's server.
	expect(error?.description).not.toMatch(/ENOENT.*\//);
});

it('fails only the item whose expression throws outside of an agent', async () => {
	const { error, calls, all } = await node.runItems(5, {
		parameters: { text: '={{ $json.number === "2" ? $fromAI("text") : $json.number }}' },
		onError: 'Continue',
	});
	expect(error).toBeUndefined();
	expect(sortNumbers(calls)).toEqual([0, 1, 3, 4]);
	expect(listPairedItems(all.filter(({ json }) => json.error !== undefined))).toEqual([2]);
});

/** The clock of these tests in ms. It never goes back, because all loops share the start of their last turn. */
let now = 0;

it.each<{ what: string; onError: OnErrorChoice; isBad: (item: number) => boolean }>([
	{
		what: 'are checked before the first call',
		onError: 'Stop Workflow',
		isBad: (item) => item === 299,
	},
	{ what: 'fail one after the other', onError: 'Continue', isBad: () => true },
])('lets n8n do other work while many items $what', async ({ onError, isBad }) => {
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
		const { calls } = await node.runItems(300, {
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
	expect(turnsAt[299]).toBeGreaterThan(turnsAt[0]!);
});
