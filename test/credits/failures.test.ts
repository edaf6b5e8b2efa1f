import {
	continueModes,
	delayed,
	numberedItems,
	pairedItems,
	range,
	resetConnection,
	sorted,
	type Mode,
} from '../support/calls';
import { useNode } from '../support/node';
import { json } from '../support/scriptedServer';

const node = useNode();

// Which calls may start after a failure, in any order of events: test/credits/invariants.

describe.each([1, 5])('concurrency %i', (concurrency) => {
	/** Item 2 fails; the others take longer, so that all calls in progress have arrived by then. */
	async function failThird(status: number, mode: Mode) {
		const respond = (item: number) =>
			item === 2
				? delayed(5, json({ message: 'No.' }, status))
				: delayed(concurrency === 1 ? 0 : 60, json({ item }));
		const output = await node.runItems(30, { respond, concurrency, mode });
		expect(output.calls.length).toBeLessThanOrEqual(2 + concurrency);
		return output;
	}

	it('without continue, the run ends', async () => {
		const { items, error } = await failThird(400, 'stop');
		expect(items).toEqual([]);
		expect(error?.message).toContain('No.');
		expect(error).toMatchObject({ context: { itemIndex: 2 } });
	});

	it.each(continueModes)('with %s, a 402 ends the run, and paid results come out', async (mode) => {
		const { calls, all } = await failThird(402, mode);
		expect(sorted(calls)).toEqual(range(calls.length));
		expect(sorted(pairedItems(all))).toEqual(range(30));
		for (const item of all) {
			const [index = -1] = pairedItems([item]);
			if (calls.includes(index) && index !== 2) {
				expect(item.json).toEqual({ item: index });
				continue;
			}
			const { message, description } = item.json.error as Record<string, string>;
			expect(message).toContain('No.');
			expect(message?.includes('not sent, because item 2')).toBe(index !== 2);
			expect(description?.includes('run the remaining items again')).toBe(index !== 2);
		}
	});
});

const goesOn = [302, 400, 403, 404, 429, 500, 503];

it.each([...goesOn, 'reset'])('the run goes on after a %s, with continue only', async (failure) => {
	for (const mode of ['stop', ...continueModes] as const) {
		const { calls, all } = await node.runItems(3, {
			respond: (item) =>
				item === 0 ? (typeof failure === 'number' ? failure : resetConnection) : 200,
			concurrency: 1,
			options: { rateLimitRetries: 0 },
			mode,
		});
		expect(calls).toEqual(mode === 'stop' ? [0] : [0, 1, 2]);
		expect(all).toHaveLength(mode === 'stop' ? 0 : 3);
	}
});

it('with Batching, no later batch starts after a failure, and no rejection is unhandled', async () => {
	const { calls, error, items } = await node.runItems(6, {
		respond: (item) => (item === 1 ? 400 : 200),
		batches: [2, 200],
	});
	expect(sorted(calls)).toEqual([0, 1]);
	expect(items).toEqual([]);
	expect(error).toMatchObject({ context: { itemIndex: 1 } });
});

it('another execution goes on', async () => {
	// Both use the last `respond`.
	const settings = {
		respond: (item: number) => delayed(20, json({}, item === 0 ? 402 : 200)),
		concurrency: 1,
	};
	const [stopped, other] = await Promise.all([
		node.runItems(5, settings),
		node.runItems(numberedItems(5, 100), settings),
	]);
	expect(stopped.error).toBeDefined();
	expect(pairedItems(other.items)).toEqual(range(5));
	expect(sorted([...stopped.calls, ...other.calls])).toEqual([0, 100, 101, 102, 103, 104]);
});
