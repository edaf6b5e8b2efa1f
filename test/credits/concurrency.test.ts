import { delayed, pairedItems, range, sorted } from '../support/calls';
import { useNode } from '../support/node';
import { json, type Answer } from '../support/scriptedServer';

const node = useNode();

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

it('two executions at the same time have a limit each', async () => {
	const respond = () => delayed(50, json({}));
	const run = async () => await node.runItems(9, { respond, concurrency: 3 });
	const runs = await Promise.all([run(), run()]);
	expect(runs.flatMap(({ calls }) => calls)).toHaveLength(18);
	expect(node.service.mostAtOnce).toBe(6);
});
