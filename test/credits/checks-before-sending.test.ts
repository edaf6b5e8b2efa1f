import { sleep, type INodeExecutionData, type INodeParameters } from 'n8n-workflow';

import {
	batching,
	continueModes,
	delayed,
	numberedItems,
	pairedItems,
	range,
	sorted,
} from '../support/calls';
import { callWav, clone, speechToText, useNode, type CallScene } from '../support/node';
import { json } from '../support/scriptedServer';

const node = useNode();

type Json = INodeExecutionData['json'];

/** Numbered items, some of them with other fields. */
function itemsWith(count: number, indexes: number[], change: Json): INodeExecutionData[] {
	const items = numberedItems(count);
	for (const index of indexes) Object.assign(items[index]?.json ?? {}, change);
	return items;
}

const empty = { number: ' ' };

/** Expressions that throw in n8n for items with `bad`. */
const throwing = '={{ $json.bad ? $("Nowhere").item.json.x : $json.number }}';
const needsAgent = '={{ $json.bad ? $fromAI("text") : $json.number }}';

const bad = { bad: true };

describe.each([1, 50])('without continue, concurrency %i: nothing is sent', (concurrency) => {
	describe.each<[string, INodeParameters, Json, string]>([
		['has an empty text', {}, empty, "'Text' is empty"],
		['has an expression that throws', { text: throwing }, bad, "doesn't exist"],
	])('if an item %s', (_what, parameters, change, message) => {
		it.each([[[0]], [[1, 3]], [[29]]])('the items %j', async (indexes) => {
			const { calls, items, error } = await node.runItems(itemsWith(30, indexes, change), {
				parameters,
				concurrency,
			});
			expect(calls).toEqual([]);
			expect(items).toEqual([]);
			expect(error?.message).toContain(message);
			if (change === empty) expect(error).toMatchObject({ context: { itemIndex: indexes[0] } });
		});
	});

	it.each([0, 2])('if item %i has no file', async (index) => {
		const items = await node.itemsWithFile({}, {}, {});
		items[index] = { json: {} };
		const { error } = await node.run({ ...speechToText, options: { concurrency } }, { items });
		expect(node.service.arrived).toBe(0);
		expect(error).toMatchObject({ message: 'The item has no file', context: { itemIndex: index } });
	});
});

describe('without continue, nothing is sent if the format of the last file', () => {
	it.each([
		{ what: 'is not audio', parameters: speechToText },
		{ what: 'is not audio, in batches', parameters: { ...speechToText, ...batching(1, 50) } },
		{ what: 'is not audio, although it should be a voice sample', parameters: clone },
	])('$what', async ({ parameters }) => {
		const textFile = { ...callWav, bytes: Buffer.from('Minutes of the call') };
		const items = await node.itemsWithFile({}, {});
		items.push(await node.engine.item({}, { data: textFile }));
		const { error } = await node.run(parameters, { items });
		expect(node.service.arrived).toBe(0);
		expect(error).toMatchObject({
			message: "The file 'call.wav' is text, not WAV, MP3, M4A or FLAC",
			context: { itemIndex: 2 },
		});
	});
});

it('nothing is sent until all items are checked, although n8n reads credentials slowly', async () => {
	const { calls, error } = await node.runItems(8, {
		parameters: { allowedEnvironment: 'sandbox' },
		credential: async (index) => {
			await sleep(50);
			return index === 7 ? { apiKey: 'eak_live_wire', environment: 'live' } : node.credential();
		},
	});
	expect(error).toMatchObject({ context: { itemIndex: 7 } });
	expect(calls).toEqual([]);
});

it('no rejection is unhandled if an item is bad and the expression of a later one throws', async () => {
	// Jest fails a test during which a rejection is not handled.
	const items = itemsWith(3, [2], bad);
	items[0] = { json: empty };
	const { calls, error } = await node.runItems(items, { parameters: { text: throwing } });
	expect(error?.message).toBe("'Text' is empty");
	await sleep(50);
	expect(calls).toEqual([]);
});

describe.each(continueModes)('with %s, an expression that throws', (mode) => {
	describe.each<[string, Pick<CallScene, 'batches'>]>([
		['without batching', {}],
		['in batches of 2', { batches: [2, 20] }],
	])('%s', (_spacing, spacing) => {
		it.each<[string, string, number[]]>([
			['for an item', throwing, [2]],
			['for the first item and the last', throwing, [0, 4]],
			['for all items', throwing, range(5)],
			['because there is no agent', needsAgent, [2]],
		])('%s leaves the others as they are', async (_when, text, indexes) => {
			const { error, calls, all, errorItems } = await node.runItems(itemsWith(5, indexes, bad), {
				parameters: { text },
				mode,
				...spacing,
			});
			expect(error).toBeUndefined();
			const good = range(5).filter((index) => !indexes.includes(index));
			expect(sorted(calls)).toEqual(good);
			expect(all).toHaveLength(5);
			const failed = all.filter((item) => JSON.stringify(item).includes('"error"'));
			expect(failed).toHaveLength(indexes.length);
			if (mode === 'error output') expect(errorItems).toEqual(failed);
			const paid = all.filter((item) => !failed.includes(item));
			expect(paid.map((item) => item.json.item)).toEqual(good);
			expect(pairedItems(paid)).toEqual(good);
		});
	});

	it('is not blamed on a refused key, which stops the later batches', async () => {
		const { calls, all } = await node.runItems(itemsWith(5, [1], bad), {
			respond: (item) => (item === 3 ? 401 : delayed(10, json({ item }))),
			parameters: { text: throwing },
			mode,
			batches: [1, 500],
		});
		expect(calls).toEqual([0, 2, 3]);
		expect(all).toHaveLength(5);
		const unsent = all.filter((item) => JSON.stringify(item.json).includes('because item 3'));
		expect(pairedItems(unsent)).toEqual([4]);
	});
});

it.each([
	['the text is empty', {}, empty, "'Text' is empty"],
	['an expression throws', { text: throwing }, bad, "doesn't exist"],
])("with n8n's Batching, nothing is sent if in a later batch %s", async (...row) => {
	const [, parameters, change, message] = row;
	const { calls, error, items } = await node.runItems(itemsWith(7, [3], change), {
		parameters,
		// In ms.
		batches: [2, 150],
	});
	expect(calls).toEqual([]);
	expect(items).toEqual([]);
	expect(error?.message).toContain(message);
});
