import { delayed, pairedItems, range, sorted } from '../support/calls';
import { useNode } from '../support/node';
import { json, type Answer } from '../support/scriptedServer';

const node = useNode();

const slowly = () => delayed(100, json({}));

it.each([
	[1, 30],
	[5, 2],
	[5, 30],
	[50, 30],
])(
	'concurrency %i, %i items: never more calls at once, but that many, in order',
	async (...row) => {
		const [concurrency, count] = row;
		const most = Math.min(concurrency, count);
		// No response before that many calls are in progress: a slow machine must not hide the others.
		const held: Array<() => void> = [];
		const answer: Answer = (...call) => {
			if (node.service.mostAtOnce >= most) delayed(20, json({}))(...call);
			else held.push(() => json({})(...call));
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
	},
);

// Which values mean the default: test/descriptions/readOptions.test.ts.
it.each([
	[5, undefined],
	[5, 0],
	// The value of the first item counts.
	[3, '={{ 3 + Number($json.number) * 10 }}'],
])('%i calls at once for the option %p', async (most, concurrency) => {
	const { items } = await node.runItems(12, { respond: slowly, concurrency });
	expect(items).toHaveLength(12);
	expect(node.service.mostAtOnce).toBe(most);
});

it('the next call starts as soon as one ends, without waiting for the others', async () => {
	// Item 0 takes longer than all the others together.
	const { times } = await node.runItems(10, {
		respond: (item) => delayed(item === 0 ? 1000 : 10, json({})),
		concurrency: 2,
	});
	expect(Math.max(...times) - Math.min(...times)).toBeLessThan(900);
	expect(node.service.mostAtOnce).toBe(2);
});

it('two executions at the same time have a limit each', async () => {
	const run = async () => await node.runItems(9, { respond: slowly, concurrency: 3 });
	const runs = await Promise.all([run(), run()]);
	expect(runs.flatMap(({ calls }) => calls)).toHaveLength(18);
	expect(node.service.mostAtOnce).toBe(6);
});
