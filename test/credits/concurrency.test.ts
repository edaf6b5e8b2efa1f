import { delayed, pairedItems, range, sorted } from '../support/calls';
import { useNode } from '../support/node';
import { json, type Answer } from '../support/scriptedServer';

const node = useNode();

const slowly = () => delayed(50, json({}));

// Which values mean the default: test/descriptions/readOptions.test.ts.
it.each<[concurrency: unknown, count: number, most: number]>([
	[1, 10, 1],
	[5, 2, 2],
	[50, 50, 50],
	[undefined, 30, 5],
	[0, 12, 5],
	// The value of the first item counts.
	['={{ 3 + Number($json.number) * 10 }}', 12, 3],
])('concurrency %p, %i items: %i calls at once, in order', async (concurrency, count, most) => {
	// No response before that many calls are in progress: a slow machine must not hide the others.
	const held: Array<() => void> = [];
	const answer: Answer = (...call) => {
		held.push(() => delayed(20, json({}))(...call));
		if (node.service.mostAtOnce >= most) held.splice(0).forEach((release) => release());
	};
	const { items, error, calls } = await node.runItems(count, {
		respond: () => answer,
		concurrency,
	});
	expect(error).toBeUndefined();
	expect(node.service.mostAtOnce).toBe(most);
	expect(sorted(calls)).toEqual(range(count));
	// Calls that start together may overtake each other in transit, but none a later one.
	calls.forEach((item, index) => expect(Math.abs(item - index)).toBeLessThan(most));
	expect(pairedItems(items)).toEqual(range(count));
});

it('the next call starts as soon as one ends, without waiting for the others', async () => {
	// Item 0 takes longer than all the others together.
	const { times } = await node.runItems(10, {
		respond: (item) => delayed(item === 0 ? 500 : 10, json({})),
		concurrency: 2,
	});
	expect(Math.max(...times) - Math.min(...times)).toBeLessThan(450);
	expect(node.service.mostAtOnce).toBe(2);
});

it('two executions at the same time have a limit each', async () => {
	const run = async () => await node.runItems(9, { respond: slowly, concurrency: 3 });
	const runs = await Promise.all([run(), run()]);
	expect(runs.flatMap(({ calls }) => calls)).toHaveLength(18);
	expect(node.service.mostAtOnce).toBe(6);
});
