import { sleep, type INodeExecutionData } from 'n8n-workflow';

import { n8n } from '../support/n8n';
import { callWav, speechToText, useNode } from '../support/node';
import { json } from '../support/recorder';
import { after, ask, batches, modes, numbered, pairs, Till, upTo } from './till';

const node = useNode();

/** Numbered items of which one is changed. */
function withOne(count: number, at: number, change: INodeExecutionData['json']) {
	const items = numbered(count);
	items[at] = { json: change };
	return items;
}

const throwing = '={{ $json.number === "bad" ? $("Nowhere").first().json.x : $json.number }}';

/** For an n8n that makes the item fail whose expression throws: others reject the run. */
const itCatching = n8n.catchesExpressionErrors === true ? it : it.skip;

/** In ms: long enough for the calls of a batch to arrive before the next batch starts. */
const betweenBatches = 600;

describe.each([1, 5, 50])('without continue, concurrency %i', (concurrency) => {
	const options = { concurrency };

	it.each([0, 1, 29])('pays nothing where the text of item %i is empty', async (bad) => {
		const till = new Till(node.service, () => 200);
		const { items, error } = await node.run(
			{ ...ask, options },
			{ items: withOne(30, bad, { number: ' ' }) },
		);
		expect(till.calls).toEqual([]);
		expect(items).toEqual([]);
		expect(error?.message).toBe("'Text' is empty");
		expect(error).toMatchObject({ context: { itemIndex: bad } });
	});

	it.each([0, 1, 29])('pays nothing where an expression throws for item %i', async (bad) => {
		const till = new Till(node.service, () => 200);
		const { items, error } = await node.run(
			{ ...ask, text: throwing, options },
			{ items: withOne(30, bad, { number: 'bad' }) },
		);
		expect(till.calls).toEqual([]);
		expect(items).toEqual([]);
		expect(error?.message).toContain("doesn't exist");
	});

	it.each([0, 1, 2])('pays nothing where the file of item %i is missing', async (bad) => {
		const all = await Promise.all(upTo(3).map(() => node.engine.item({}, { data: callWav })));
		all[bad] = { json: {} };
		const { error } = await node.run({ ...speechToText, options }, { items: all });
		expect(node.service.arrived).toBe(0);
		expect(error?.message).toBe('The item has no file');
		expect(error).toMatchObject({ context: { itemIndex: bad } });
	});
});

it('throws the error of the first of several bad items', async () => {
	const items = numbered(4);
	items[1] = { json: { number: '' } };
	items[3] = { json: { number: '' } };
	const { error } = await node.run(ask, { items });
	expect(error).toMatchObject({ context: { itemIndex: 1 } });
	expect(node.service.arrived).toBe(0);
});

it('pays nothing until all are looked at, however long n8n takes to read the credential', async () => {
	const till = new Till(node.service, () => 200);
	const credential = node.credential();
	const items = withOne(3, 2, { number: '' });
	await node.engine.run({ parameters: ask, items, credential, credentialTakes: 50 });
	expect(till.calls).toEqual([]);
});

it('leaves no rejection unhandled where an item is bad and the expression of a later one throws', async () => {
	// Jest fails a test during which a rejection is not handled.
	const items = numbered(3);
	items[0] = { json: { number: '' } };
	items[2] = { json: { number: 'bad' } };
	const { error } = await node.run({ ...ask, text: throwing }, { items });
	expect(error?.message).toContain("doesn't exist");
	await sleep(50);
	expect(node.service.arrived).toBe(0);
});

describe.each(['continue', 'error output'] as const)('with %s', (mode) => {
	it('sends all but the bad item', async () => {
		const till = new Till(node.service, () => 200);
		const output = await node.run(ask, {
			items: withOne(3, 1, { number: '' }),
			node: modes[mode],
		});
		expect(till.paid.sort()).toEqual([0, 2]);
		expect(pairs([...output.items, ...output.errorItems]).sort()).toEqual([0, 1, 2]);
	});

	itCatching('leaves the other items as they are where an expression throws', async () => {
		const till = new Till(node.service, () => 200);
		const items = withOne(3, 1, { number: 'bad' });
		const output = await node.run({ ...ask, text: throwing }, { items, node: modes[mode] });
		expect(output.error).toBeUndefined();
		expect(till.paid.sort()).toEqual([0, 2]);
		const failed = mode === 'continue' ? output.items[1] : output.errorItems[0];
		expect(failed?.json.error).toContain("doesn't exist");
		// n8n makes the item of the error output itself, and does not pair it.
		expect(pairs(output.items)).toEqual(mode === 'continue' ? [0, 1, 2] : [0, 2]);
		expect(output.errorItems).toHaveLength(mode === 'continue' ? 0 : 1);
	});
});

describe("with n8n's batching", () => {
	it('keeps the calls apart', async () => {
		const till = new Till(node.service, () => 200);
		const { items } = await node.run({ ...ask, ...batches(2, 600) }, { items: numbered(5) });
		expect(pairs(items)).toEqual(upTo(5));
		expect(till.calls.sort()).toEqual(upTo(5));
		const start = till.times[0] ?? 0;
		till.times.forEach((time, place) => {
			expect(time - start).toBeGreaterThan(600 * Math.floor(place / 2) - 400);
		});
	});

	it('keeps to the concurrency', async () => {
		new Till(node.service, () => after(100, json({})));
		await node.run(
			{ ...ask, ...batches(1, 10), options: { concurrency: 2 } },
			{ items: numbered(6) },
		);
		expect(node.service.mostAtOnce).toBe(2);
	});

	it('starts no later batch after a failure, and leaves no rejection unhandled', async () => {
		const till = new Till(node.service, (item) => (item === 1 ? 400 : 200));
		const { error, items } = await node.run(
			{ ...ask, ...batches(2, 1500) },
			{ items: numbered(6) },
		);
		expect(till.calls.sort()).toEqual([0, 1]);
		expect(items).toEqual([]);
		expect(error).toMatchObject({ context: { itemIndex: 1 } });
	});

	it.each([
		['the text is empty', {}, { number: '' }, "'Text' is empty"],
		['an expression throws', { text: throwing }, { number: 'bad' }, "doesn't exist"],
		['another one throws', { language: throwing }, { number: 'bad' }, "doesn't exist"],
	])('pays for the batches before the one in which %s', async (_what, change, bad, message) => {
		const till = new Till(node.service, () => 200);
		const { error, items } = await node.run(
			{ ...ask, ...change, ...batches(2, betweenBatches) },
			{ items: withOne(7, 3, bad) },
		);
		// Item 2 is of the same batch, items 4 to 6 of later ones.
		expect(till.calls.sort()).toEqual([0, 1]);
		expect(items).toEqual([]);
		expect(error?.message).toContain(message);
	});

	it('pays for the batches before the one in which a voice has no name', async () => {
		const items = await Promise.all(
			upTo(3).map((place) =>
				node.engine.item({ name: place === 2 ? ' ' : 'Anna' }, { data: callWav }),
			),
		);
		const { error } = await node.run(
			{
				resource: 'voice',
				operation: 'clone',
				voiceName: '={{ $json.name }}',
				...batches(1, betweenBatches),
			},
			{ items },
		);
		expect(node.service.arrived).toBe(2);
		expect(error?.message).toBe("'Voice Name' is empty");
	});

	const badItems: Array<[string, INodeExecutionData['json']]> = [
		['is bad', { number: '' }],
		['has an expression that throws', { number: 'bad' }],
	];

	it.each(n8n.catchesExpressionErrors === true ? badItems : badItems.slice(0, 1))(
		'with continue: sends all but the item of a later batch that %s',
		async (_what, bad) => {
			const till = new Till(node.service, () => 200);
			const { items } = await node.run(
				{ ...ask, text: throwing, ...batches(2, betweenBatches) },
				{ items: withOne(5, 3, bad), node: modes.continue },
			);
			expect(till.calls.sort()).toEqual([0, 1, 2, 4]);
			expect(pairs(items)).toEqual(upTo(5));
		},
	);

	it.each(n8n.combined ? (['separate', 'combined'] as const) : (['separate'] as const))(
		'pays for the batches before the one in which a file is missing, binary mode %s',
		async (binaryMode) => {
			const items = await Promise.all(upTo(3).map(() => node.engine.item({}, { data: callWav })));
			if (binaryMode === 'combined') {
				items.forEach((item) => Object.assign(item, { json: { deep: [{ ...item.binary }] } }));
				items.forEach((item) => delete item.binary);
			}
			const binaryPropertyName = binaryMode === 'combined' ? 'deep[0].data' : 'data';
			const parameters = { ...speechToText, binaryPropertyName, ...batches(1, betweenBatches) };
			const settings = { binaryMode };
			await node.run(parameters, { items, settings });
			expect(node.service.arrived).toBe(3);
			items[2] = { json: {} };
			const { error } = await node.run(parameters, { items, settings });
			expect(node.service.arrived).toBe(3 + 2);
			expect(error?.message).toMatch(/^The item has no file/);
			expect(error).toMatchObject({ context: { itemIndex: 2 } });
		},
	);
});
