import { useNode } from '../support/node';
import { json } from '../support/recorder';
import { after, ask, numbered, pairs, Till, upTo } from './till';

const node = useNode();

describe.each([1, 5, 50])('concurrency %i', (concurrency) => {
	it.each([1, 2, 30])('%i items: never more at once, but that many, in order', async (count) => {
		const till = new Till(node.service, () => after(30, json({})));
		const { items, error } = await node.run(
			{ ...ask, options: { concurrency } },
			{ items: numbered(count) },
		);
		expect(error).toBeUndefined();
		expect(node.service.mostAtOnce).toBe(Math.min(concurrency, count));
		expect([...till.calls].sort((a, b) => a - b)).toEqual(upTo(count));
		// Calls that start together may overtake each other on their way, but none a later one.
		till.calls.forEach((item, place) => {
			expect(Math.abs(item - place)).toBeLessThan(Math.min(concurrency, count));
		});
		expect(pairs(items)).toEqual(upTo(count));
	});
});

it('takes five at once where nothing else is said', async () => {
	new Till(node.service, () => after(30, json({})));
	await node.run(ask, { items: numbered(12) });
	expect(node.service.mostAtOnce).toBe(5);
});

it('takes the concurrency of the first item where an expression gives one to each', async () => {
	new Till(node.service, () => after(30, json({})));
	await node.run(
		{ ...ask, options: { concurrency: '={{ 3 + Number($json.number) * 10 }}' } },
		{ items: numbered(12) },
	);
	expect(node.service.mostAtOnce).toBe(3);
});

it.each([0, -1, 'many', ''])('falls back to five for a concurrency of %p', async (concurrency) => {
	new Till(node.service, () => after(30, json({})));
	const { items } = await node.run({ ...ask, options: { concurrency } }, { items: numbered(12) });
	expect(items).toHaveLength(12);
	expect(node.service.mostAtOnce).toBe(5);
});

it('starts the next call as soon as one ends, without waiting for the others', async () => {
	// Item 0 takes as long as all the others together.
	const till = new Till(node.service, (item) => after(item === 0 ? 300 : 10, json({})));
	await node.run({ ...ask, options: { concurrency: 2 } }, { items: numbered(10) });
	expect(Math.max(...till.times) - Math.min(...till.times)).toBeLessThan(290);
	expect(node.service.mostAtOnce).toBe(2);
});

it('sends the first item alone where the node is set to execute once', async () => {
	const till = new Till(node.service, () => 200);
	const { items } = await node.run(ask, { items: numbered(3), node: { executeOnce: true } });
	expect(till.paid).toEqual([0]);
	expect(pairs(items)).toEqual([0]);
});

it('keeps two executions at the same time apart', async () => {
	const till = new Till(node.service, () => after(40, json({})));
	const options = { concurrency: 3 };
	await Promise.all([
		node.run({ ...ask, options }, { items: numbered(9) }),
		node.run({ ...ask, options }, { items: numbered(9) }),
	]);
	expect(till.calls).toHaveLength(18);
	expect(node.service.mostAtOnce).toBe(6);
});
