import { sleep, type INodeParameters } from 'n8n-workflow';

import { useNode } from '../support/node';
import { n8n } from '../support/n8n';
import { outcomesOf } from '../support/outcome';
import { json } from '../support/recorder';
import { after, ask, batches, modes, numbered, pairs, Till, upTo } from './till';

const node = useNode();

/** Expressions that throw in n8n for the items whose number is in `$json.bad`. */
const throwing = {
	'a node that did not run': '={{ $json.bad ? $("Nowhere").item.json.x : $json.number }}',
	$fromAI: '={{ $json.bad ? $fromAI("text") : $json.number }}',
};

const count = 5;

const catches = n8n.catchesExpressionErrors === true;
const [describeCatching, itCatching] = catches ? [describe, it] : [describe.skip, it.skip];
const describeRejecting = catches ? describe.skip : describe;

function itemsWith(bad: number[]) {
	const items = numbered(count);
	for (const index of bad) Object.assign(items[index]?.json ?? {}, { bad: true });
	return items;
}

const spacings: Array<[string, INodeParameters]> = [
	['without batching', {}],
	['batches of 1', batches(1, 20)],
	['batches of 2', batches(2, 20)],
];

describeCatching.each(['continue', 'error output'] as const)('with %s', (mode) => {
	describe.each(spacings)('%s', (_spacing, spacing) => {
		it.each([[[2]], [[4]], [[0]], [[0, 4]], [[3, 4]], [[0, 1]], [[0, 2, 4]]])(
			'an expression that throws for the items %j leaves the others as they are',
			async (bad) => {
				const till = new Till(node.service, () => 200);
				const text = throwing['a node that did not run'];
				const output = await node.run(
					{ ...ask, text, ...spacing },
					{ items: itemsWith(bad), node: modes[mode] },
				);
				const good = upTo(count).filter((index) => !bad.includes(index));
				expect([...till.calls].sort()).toEqual(good);
				expect(output.items.length + output.errorItems.length).toBe(count);
				const all = [...output.items, ...output.errorItems];
				const failed = all.filter((item) => item.json.error !== undefined);
				expect(failed).toHaveLength(bad.length);
				for (const item of failed) expect(JSON.stringify(item)).toContain("doesn't exist");
				const paid = all.filter((item) => item.json.error === undefined);
				expect(paid.map((item) => item.json.item)).toEqual(good);
				expect(pairs(paid)).toEqual(good);
			},
		);

		it('an expression that needs an agent leaves the others as they are', async () => {
			const till = new Till(node.service, () => 200);
			const output = await node.run(
				{ ...ask, text: throwing.$fromAI, ...spacing },
				{ items: itemsWith([2]), node: modes[mode] },
			);
			expect([...till.calls].sort()).toEqual([0, 1, 3, 4]);
			expect(output.items.length + output.errorItems.length).toBe(count);
		});

		it('nothing comes out twice, and nothing is sent, if it throws for all items', async () => {
			const till = new Till(node.service, () => 200);
			const text = throwing['a node that did not run'];
			const output = await node.run(
				{ ...ask, text, ...spacing },
				{ items: itemsWith(upTo(count)), node: modes[mode] },
			);
			expect(till.calls).toEqual([]);
			expect(output.items.length + output.errorItems.length).toBe(count);
		});
	});

	it('a refused key stops the later batches, and no item blames it that it did not stop', async () => {
		const till = new Till(node.service, (item) =>
			item === 3 ? json({ message: 'No.' }, 401) : after(10, json({ item })),
		);
		const output = await node.run(
			{ ...ask, text: throwing['a node that did not run'], ...batches(1, 60) },
			{ items: itemsWith([1]), node: modes[mode] },
		);
		expect(till.calls).toEqual([0, 2, 3]);
		const all = [...output.items, ...output.errorItems];
		expect(all).toHaveLength(count);
		const unsent = all.filter((item) => JSON.stringify(item.json).includes('because item 3'));
		expect(pairs(unsent)).toEqual([4]);
	});
});

describeRejecting.each(['continue', 'error output'] as const)('with %s', (mode) => {
	it.each([0, 2, 4])(
		'an expression that throws for item %i makes n8n reject the run: no later item is sent',
		async (bad) => {
			const till = new Till(node.service, () => 200);
			await node.run(
				{ ...ask, text: throwing['a node that did not run'] },
				{ items: itemsWith([bad]), node: modes[mode] },
			);
			// n8n does not wait for the items before it: whether it caught the error, the node cannot know.
			await sleep(200);
			for (const item of till.calls) expect(item).toBeLessThan(bad);
			expect(new Set(till.calls).size).toBe(till.calls.length);
		},
	);
});

describe.each(spacings)('without continue, %s', (_spacing, spacing) => {
	it.each([0, 2, 4])('an expression that throws for item %i fails the run', async (bad) => {
		const till = new Till(node.service, () => 200);
		const { items, error } = await node.run(
			{ ...ask, text: throwing['a node that did not run'], ...spacing },
			{ items: itemsWith([bad]) },
		);
		expect(items).toEqual([]);
		expect(error?.message).toContain("doesn't exist");
		// n8n does not wait for calls in progress: they must not arrive in the next test.
		await sleep(100);
		// All items are checked before the first call; with batching, those of the same batch are.
		if (_spacing === 'without batching') expect(till.calls).toEqual([]);
		for (const item of till.calls) expect(item).toBeLessThan(bad);
	});
});

itCatching(
	'with Retry On Fail, no try sends a paid item again because another one throws',
	async () => {
		const till = new Till(node.service, () => 200);
		const output = await node.run(
			{ ...ask, text: throwing['a node that did not run'] },
			{
				items: itemsWith([0]),
				node: { ...modes.continue, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
			},
		);
		expect([...till.calls].sort()).toEqual([1, 2, 3, 4]);
		expect(output.items).toHaveLength(count);
		expect(outcomesOf({ ...output, items: output.items.slice(1) }).filter(Boolean)).toHaveLength(4);
	},
);
