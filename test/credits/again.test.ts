import { callWav, speechToText, useNode } from '../support/node';
import { json } from '../support/recorder';
import { after, ask, batches, modes, numbered, pairs, Till, tries, upTo } from './till';

const node = useNode();

describe.each([2, 3])('Retry On Fail, %i tries', (maxTries) => {
	it.each([0, 2, 5])('pays no item twice where item %i fails each time', async (at) => {
		const till = new Till(node.service, (item) => (item === at ? 500 : 200));
		const { error } = await node.run(
			{ ...ask, options: { concurrency: 3 } },
			{ items: numbered(6), node: tries(maxTries) },
		);
		expect(error).toBeDefined();
		expect(till.calls.filter((item) => item === at)).toHaveLength(maxTries);
		expect(new Set(till.paid).size).toBe(till.paid.length);
	});

	it.each([500, 402])('a stop by a %i does not bind the next try', async (status) => {
		const till = new Till(node.service, (item, before) =>
			item === 2 && before < maxTries - 1 ? status : 200,
		);
		const { items, error } = await node.run(
			{ ...ask, options: { concurrency: 1 } },
			{ items: numbered(5), node: tries(maxTries) },
		);
		expect(error).toBeUndefined();
		expect(till.calls).toEqual([0, 1, ...new Array<number>(maxTries).fill(2), 3, 4]);
		expect(items.map((item) => item.json.item)).toEqual(upTo(5));
		expect(pairs(items)).toEqual(upTo(5));
	});

	it.each(['continue', 'error output'] as const)(
		'with %s, where n8n tries again because the first item failed: no item is paid twice',
		async (mode) => {
			const till = new Till(node.service, (item) => (item === 0 ? 500 : 200));
			const { items, errorItems } = await node.run(ask, {
				items: numbered(4),
				node: { ...tries(maxTries), ...modes[mode] },
			});
			expect(till.calls.filter((item) => item === 0)).toHaveLength(maxTries);
			expect(till.paid.sort()).toEqual([1, 2, 3]);
			expect(pairs([...items, ...errorItems]).sort()).toEqual(upTo(4));
		},
	);
});

describe('Retry On Fail', () => {
	it('asks for a credential again that could not be read', async () => {
		const till = new Till(node.service, () => 200);
		let asked = 0;
		const { error, items } = await node.run(ask, {
			items: numbered(2),
			node: tries(2),
			// The first time for n8n's own routing, and then for the items.
			onCredentialRead: () => {
				if (++asked === 2) throw new Error('The database is away');
			},
		});
		expect(error).toBeUndefined();
		expect(pairs(items)).toEqual([0, 1]);
		expect(till.calls.sort()).toEqual([0, 1]);
	});

	it('says so where a credential can not be read', async () => {
		const till = new Till(node.service, () => 200);
		let asked = 0;
		const { error } = await node.run(ask, {
			items: numbered(2),
			onCredentialRead: () => {
				if (++asked > 1) throw new Error('The database is away');
			},
		});
		expect(error?.message).toContain('The database is away');
		expect(till.calls).toEqual([]);
	});

	it('sends a request that has changed', async () => {
		const till = new Till(node.service, (item) => (item === 1 ? 500 : 200));
		let evaluated = 0;
		const items = numbered(2);
		Object.defineProperty(items[0]?.json, 'times', { enumerable: true, get: () => ++evaluated });
		await node.run(
			{ ...ask, language: '={{ $json.times }}', options: { concurrency: 1 } },
			{ items, node: tries(2) },
		);
		expect(till.calls).toEqual([0, 1, 0, 1]);
	});

	it('keeps the recordings apart: the same file is not sent again, another is', async () => {
		let calls = 0;
		node.service.answer = (request, response, index) => {
			calls++;
			const isBad = request.parts.some((part) => part.body.toString() === 'bad');
			json({}, isBad ? 500 : 200)(request, response, index);
		};
		const files = { data: callWav };
		const items = [await node.engine.item({}, files), await node.engine.item({}, files)];
		await node.run(
			{ ...speechToText, language: '={{ $itemIndex === 1 ? "bad" : "en" }}' },
			{ items, node: tries(3) },
		);
		expect(calls).toBe(1 + 3);
	});

	it('checks all again before it pays: a try in which an expression throws sends nothing', async () => {
		const till = new Till(node.service, (item) => (item === 0 ? 500 : 200));
		let evaluated = 0;
		const items = numbered(3);
		// Good in the first try, an unknown node in the second.
		Object.defineProperty(items[2]?.json, 'from', {
			enumerable: true,
			get: () => (till.calls.length > 0 && ++evaluated > 0 ? 'Nowhere' : 'Start'),
		});
		const { error } = await node.run(
			{
				...ask,
				language: '={{ $itemIndex === 2 ? $($json.from).first().json.x : "" }}',
				options: { concurrency: 1 },
			},
			{ items, node: tries(2) },
		);
		expect(till.calls).toEqual([0]);
		expect(error?.message).toContain("doesn't exist");
	});

	it('remembers nothing from one execution to the next', async () => {
		const till = new Till(node.service, () => 200);
		const items = numbered(2);
		await node.run(ask, { items, node: tries(2) });
		await node.run(ask, { items, node: tries(2) });
		expect(till.paid.sort()).toEqual([0, 0, 1, 1]);
	});

	describe('where the earlier try is given up with calls under way', () => {
		// Only under batching: an expression that throws for a later batch, and only then, ends the try meanwhile.
		const answerAfter = 900;
		const throwsFrom = '={{ $itemIndex === 3 ? $($json.from).first().json.x : $json.language }}';

		async function giveUp(concurrency: number, changing: boolean) {
			// The first item looks at it ahead, then it is asked in its own turn, which ends the try.
			let asked = 0;
			const till = new Till(node.service, () => after(answerAfter, json({})));
			const items = numbered(4);
			Object.defineProperty(items[3]?.json, 'from', {
				enumerable: true,
				get: () => (++asked === 2 ? 'Nowhere' : 'Start'),
			});
			for (const item of items) {
				Object.defineProperty(item.json, 'language', {
					enumerable: true,
					get: () => (changing && asked >= 2 ? 'later' : 'early'),
				});
			}
			const { items: out } = await node.run(
				{ ...ask, language: throwsFrom, options: { concurrency }, ...batches(3, 300) },
				{ items, node: { ...tries(2), waitBetweenTries: 300 } },
			);
			expect(pairs(out)).toEqual(upTo(4));
			return till.calls.sort();
		}

		it('waits for them, instead of sending them again', async () => {
			expect(await giveUp(2, false)).toEqual([0, 1, 2, 3]);
			expect(node.service.mostAtOnce).toBe(2);
		});

		it('starts no further call of that try', async () => {
			expect(await giveUp(1, true)).toEqual([0, 0, 1, 2, 3]);
		});
	});
});
