import {
	respondWhenInProgress,
	listPairedItems,
	createRange,
	sortNumbers,
} from '../support/calls.mts';
import { useNode } from '../support/node.mts';
import { respondWithJson } from '../support/servers/scriptedServer.mts';

const node = useNode();

it.each<{ concurrency: unknown; count: number; most: number }>([
	{ concurrency: undefined, count: 30, most: 5 },
	// The value of the first item counts.
	{ concurrency: '={{ 3 + Number($json.number) * 10 }}', count: 12, most: 3 },
])(
	'sends $count items with at most $most calls at once with the concurrency $concurrency',
	async ({ concurrency, count, most }) => {
		// A slow machine must not hide calls, so no response comes before that many are in progress.
		const { items, error, calls } = await node.runItems(count, {
			respond: () => respondWhenInProgress(node.service, most, respondWithJson({})),
			concurrency,
		});
		expect(error).toBeUndefined();
		expect(node.service.maxInProgress).toBe(most);
		expect(sortNumbers(calls)).toEqual(createRange(count));
		expect(listPairedItems(items)).toEqual(createRange(count));
	},
);

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

/** Throws in n8n for the first item, and is empty for all others. */
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
