import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import {
	enableBatching,
	continueChoices,
	createNumberedItems,
	listPairedItems,
	createRange,
	sortNumbers,
	type OnErrorChoice,
} from '../support/calls.mts';
import { callWav, nodeKey, useNode, type RunItemsSetup } from '../support/node.mts';
import { cloneParameters, speechToTextParameters } from '../support/nodeParameters.mts';
import { settleAll } from '../support/waiting.mts';

const node = useNode();

type Json = INodeExecutionData['json'];

/** Numbered items, some of them with other fields. */
function createChangedItems(count: number, indexes: number[], change: Json): INodeExecutionData[] {
	const items = createNumberedItems(count);
	for (const index of indexes) Object.assign(items[index]?.json ?? {}, change);
	return items;
}

const empty = { number: ' ' };

/** Expressions that throw in n8n for items with `bad`. */
const throwing = '={{ $json.bad ? $("Nowhere").item.json.x : $json.number }}';
const needsAgent = '={{ $json.bad ? $fromAI("text") : $json.number }}';

const bad = { bad: true };

it.each<{ what: string; parameters: INodeParameters; change: Json; message: string }>([
	{ what: 'has an empty text', parameters: {}, change: empty, message: "'Text' is empty" },
	{
		what: 'has an expression that throws',
		parameters: { text: throwing },
		change: bad,
		message: "doesn't exist",
	},
	{
		what: "has an expression that throws in a later batch of n8n's Batching",
		parameters: { text: throwing, ...enableBatching(2, 60_000) },
		change: bad,
		message: "doesn't exist",
	},
])(
	'sends nothing if an item $what and On Error is Stop Workflow, and names the first one',
	async ({ parameters, change, message }) => {
		const { calls, items, error } = await node.runItems(createChangedItems(30, [3, 29], change), {
			parameters,
			concurrency: 50,
		});
		expect(calls).toEqual([]);
		expect(items).toEqual([]);
		expect(error?.message).toContain(message);
		expect(error).toMatchObject({ context: { itemIndex: 3 } });
	},
);

it.each([0, 2])(
	'sends nothing if item %i has no file and On Error is Stop Workflow',
	async (index) => {
		const items = await node.createItemsWithFile({}, {}, {});
		items[index] = { json: {} };
		const { error } = await node.run(speechToTextParameters, { items });
		expect(node.service.requestCount).toBe(0);
		expect(error).toMatchObject({ message: 'The item has no file', context: { itemIndex: index } });
	},
);

it.each([
	{ what: 'the last recording', parameters: speechToTextParameters },
	{
		what: 'the recording of the last batch',
		parameters: { ...speechToTextParameters, ...enableBatching(1, 50) },
	},
	{ what: 'the last voice sample', parameters: cloneParameters },
])('sends nothing if $what is not audio and On Error is Stop Workflow', async ({ parameters }) => {
	const textFile = { ...callWav, bytes: Buffer.from('Minutes of the call') };
	const items = await node.createItemsWithFile({}, {});
	items.push(await node.engine.createItemWithFiles({}, { data: textFile }));
	const { error } = await node.run(parameters, { items });
	expect(node.service.requestCount).toBe(0);
	expect(error).toMatchObject({
		message: "The file 'call.wav' is not audio: its content is text",
		context: { itemIndex: 2 },
	});
});

it('sends nothing until all items are checked, although n8n reads credentials slowly', async () => {
	const { calls, error } = await node.runItems(8, {
		parameters: { allowedEnvironment: 'sandbox' },
		credential: async (index) => {
			await settleAll();
			return index === 7
				? { apiKey: 'eak_live_wire', environment: 'live' }
				: node.createCredential();
		},
	});
	expect(error).toMatchObject({ context: { itemIndex: 7 } });
	expect(calls).toEqual([]);
});

it('leaves no rejection unhandled if an item is bad and the expression of a later one throws', async () => {
	// Jest fails a test during which a rejection is not handled.
	const items = createChangedItems(3, [2], bad);
	items[0] = { json: empty };
	const { calls, error } = await node.runItems(items, { parameters: { text: throwing } });
	expect(error?.message).toBe("'Text' is empty");
	await settleAll();
	expect(calls).toEqual([]);
});

describe.each(continueChoices)("an expression that throws with On Error '%s'", (onError) => {
	it.each<{
		when: string;
		text: string;
		indexes: number[];
		spacing?: Pick<RunItemsSetup, 'batches'>;
	}>([
		{ when: 'for the first item and the last', text: throwing, indexes: [0, 4] },
		{ when: 'for all items', text: throwing, indexes: createRange(5) },
		{
			when: 'because there is no agent',
			text: needsAgent,
			indexes: [2],
			spacing: { batches: { size: 2, intervalMs: 20 } },
		},
	])('leaves the others as they are if it throws $when', async ({ text, indexes, spacing }) => {
		const { error, calls, all, errorItems } = await node.runItems(
			createChangedItems(5, indexes, bad),
			{ parameters: { text }, onError, ...spacing },
		);
		expect(error).toBeUndefined();
		const good = createRange(5).filter((index) => !indexes.includes(index));
		expect(sortNumbers(calls)).toEqual(good);
		expect(all).toHaveLength(5);
		const failed = all.filter((item) => JSON.stringify(item).includes('"error"'));
		expect(failed).toHaveLength(indexes.length);
		if (onError === 'Continue (using error output)') expect(errorItems).toEqual(failed);
		const paid = all.filter((item) => !failed.includes(item));
		expect(paid.map((item) => item.json.item)).toEqual(good);
		expect(listPairedItems(paid)).toEqual(good);
	});

	it('is not blamed on a refused key, which stops the later calls', async () => {
		const { calls, all } = await node.runItems(createChangedItems(5, [1], bad), {
			respond: (item) => (item === 3 ? 401 : 200),
			parameters: { text: throwing },
			onError,
			concurrency: 1,
		});
		expect(calls).toEqual([0, 2, 3]);
		expect(all).toHaveLength(5);
		const unsent = all.filter((item) => JSON.stringify(item.json).includes('because item 3'));
		expect(listPairedItems(unsent)).toEqual([4]);
	});
});

const emptyWav = { ...callWav, bytes: Buffer.alloc(0) };

it.each([
	{ what: 'is empty', file: emptyWav, message: "The file 'call.wav' is empty" },
	{ what: 'was deleted', file: undefined, message: 'The audio could not be read' },
])('sends nothing if the file of a later item $what', async ({ file, message }) => {
	const items = await node.createItemsWithFile({}, {}, {});
	const deleted = { id: 'filesystem-v2:gone', mimeType: 'audio/wav', data: 'filesystem-v2' };
	items[2] = file
		? await node.engine.createItemWithFiles({}, { data: file })
		: { json: {}, binary: { data: deleted as never } };
	const { message: shown, description } = await node.runUnsent(speechToTextParameters, { items });
	expect(shown).toBe(message);
	expect(description).not.toContain('/');
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
