import { useNode } from '../support/node';
import { json } from '../support/recorder';
import { after, ask, modes, numbered, pairs, reset, Till, upTo, type Mode } from './till';

const node = useNode();

const places: Array<[count: number, at: number]> = [
	[1, 0],
	...[0, 1].map((at): [number, number] => [2, at]),
	...[0, 15, 29].map((at): [number, number] => [30, at]),
];

/** Calls that one item fails, the others taking longer, so that all that started has arrived by then. */
async function failAt(at: number, status: number, count: number, concurrency: number, mode: Mode) {
	const unit = concurrency === 1 ? 0 : 5;
	const till = new Till(node.service, (item) => {
		if (item === at) return after(unit, json({ message: 'No.' }, status));
		return after(3 * unit, json({ item }));
	});
	const output = await node.run(
		{ ...ask, options: { concurrency } },
		{ items: numbered(count), node: modes[mode] },
	);
	return { till, ...output, all: [...output.items, ...output.errorItems] };
}

/** How many calls may have started before a failure was known: those that were under way beside it. */
function mostCalls(at: number, count: number, concurrency: number): number {
	return Math.min(count, at + concurrency);
}

describe.each([1, 5, 50])('concurrency %i', (concurrency) => {
	describe.each(places)('%i items, item %i fails', (count, at) => {
		it('ends the run without continue', async () => {
			const { till, items, error } = await failAt(at, 400, count, concurrency, 'stop');
			expect(till.calls.length).toBeGreaterThan(at);
			expect(till.calls.length).toBeLessThanOrEqual(mostCalls(at, count, concurrency));
			expect(items).toEqual([]);
			expect(error?.message).toContain('No.');
			expect(error).toMatchObject({ context: { itemIndex: at } });
		});

		it.each(['continue', 'error output'] as const)(
			'with %s: a 402 ends the run, and what was paid comes out',
			async (mode) => {
				const { till, all, items, errorItems } = await failAt(at, 402, count, concurrency, mode);
				const called = [...till.calls].sort((a, b) => a - b);
				expect(called.length).toBeLessThanOrEqual(mostCalls(at, count, concurrency));
				expect(called).toEqual(upTo(called.length));
				expect(pairs(all).sort((a, b) => Number(a) - Number(b))).toEqual(upTo(count));
				const bought = all.filter((item) => item.json.error === undefined);
				expect(bought.map((item) => item.json.item).sort()).toEqual(
					called.filter((item) => item !== at).sort(),
				);
				const failed = mode === 'continue' ? items : errorItems;
				for (const item of failed.filter((one) => one.json.error !== undefined)) {
					const index = (item.pairedItem as { item: number }).item;
					const { message, description } = item.json.error as Record<string, string>;
					expect(message).toContain('No.');
					const unsent = !called.includes(index);
					expect(message?.includes(`not sent, because item ${at}`)).toBe(unsent);
					expect(description?.startsWith('Every later call would be refused')).toBe(unsent);
				}
			},
		);

		it('with continue: a 403 concerns its item alone', async () => {
			const { till, items } = await failAt(at, 403, count, concurrency, 'continue');
			expect([...till.calls].sort((a, b) => a - b)).toEqual(upTo(count));
			expect(items.map((item) => item.json.error !== undefined)).toEqual(
				upTo(count).map((index) => index === at),
			);
		});
	});
});

describe.each(['continue', 'error output'] as const)('with %s', (mode) => {
	it.each([400, 403, 404, 405, 413, 415, 422, 429, 500, 502, 503, 504, 302])(
		'goes on after a %i',
		async (status) => {
			const till = new Till(node.service, (item) => (item === 0 ? status : 200));
			const { items, errorItems } = await node.run(
				{ ...ask, options: { concurrency: 1, rateLimitRetries: 0 } },
				{ items: numbered(3), node: modes[mode] },
			);
			expect(till.calls).toEqual([0, 1, 2]);
			expect(till.paid).toEqual([1, 2]);
			expect(items.length + errorItems.length).toBe(3);
		},
	);

	it.each([401, 402])('ends the run after a %i', async (status) => {
		const till = new Till(node.service, (item) => (item === 1 ? status : 200));
		await node.run(
			{ ...ask, options: { concurrency: 1 } },
			{ items: numbered(4), node: modes[mode] },
		);
		expect(till.calls).toEqual([0, 1]);
	});

	it('goes on after a broken connection', async () => {
		const till = new Till(node.service, (item) => (item === 0 ? reset : 200));
		await node.run(
			{ ...ask, options: { concurrency: 1 } },
			{ items: numbered(3), node: modes[mode] },
		);
		expect(till.calls).toEqual([0, 1, 2]);
	});
});

it.each([400, 401, 402, 403, 404, 500, 503])(
	'without continue a %i ends the run',
	async (status) => {
		const till = new Till(node.service, (item) => (item === 1 ? status : 200));
		const { error } = await node.run(
			{ ...ask, options: { concurrency: 1 } },
			{ items: numbered(4) },
		);
		expect(till.calls).toEqual([0, 1]);
		expect(till.paid).toEqual([0]);
		expect(error).toMatchObject({ context: { itemIndex: 1 } });
	},
);

it("never ends another execution's run", async () => {
	const till = new Till(node.service, (item) => after(20, json({}, item === 0 ? 402 : 200)));
	const options = { concurrency: 1 };
	const [stopped, other] = await Promise.all([
		node.run({ ...ask, options }, { items: numbered(5) }),
		node.run({ ...ask, options }, { items: numbered(5, 100) }),
	]);
	expect(stopped.error).toBeDefined();
	expect(pairs(other.items)).toEqual(upTo(5));
	expect(till.calls.sort((a, b) => a - b)).toEqual([0, 100, 101, 102, 103, 104]);
});
