import { useNode } from '../support/node';
import { outcomesOf } from '../support/outcome';
import { json } from '../support/recorder';
import { ask, modes, numbered, pairs, Till, tries, upTo } from './till';

const node = useNode();

describe.each(['continue', 'error output'] as const)('Retry On Fail with %s', (mode) => {
	it.each([1, 5])(
		'keeps paid results when a later try is refused, concurrency %i',
		async (concurrency) => {
			const till = new Till(node.service, (item, before) =>
				item > 3 ? 200 : before === 0 ? 500 : 402,
			);
			const { items, errorItems } = await node.run(
				{ ...ask, options: { concurrency } },
				{ items: numbered(7), node: { ...tries(2), ...modes[mode] } },
			);
			expect(till.paid.sort()).toEqual([4, 5, 6]);
			expect(pairs([...items, ...errorItems]).sort()).toEqual(upTo(7));
			const succeeded = [...items, ...errorItems].filter((item) => item.json.error === undefined);
			expect(succeeded.map((item) => item.json.item).sort()).toEqual([4, 5, 6]);
		},
	);

	it('keeps a paid result when the credential cannot be read in a later try', async () => {
		const till = new Till(node.service, (item) => (item === 0 ? 500 : 200));
		const credential = node.credential();
		const output = await node.run(ask, {
			items: numbered(2),
			credential: (item) => {
				if (item === 1 && till.calls.length > 1) throw new Error('The database is away');
				return credential;
			},
			node: { ...tries(2), ...modes[mode] },
		});
		expect(till.paid).toEqual([1]);
		expect(outcomesOf(output).map(({ error }) => error === undefined)).toEqual([false, true]);
	});
});

it('says that a call may have been debited in an earlier try', async () => {
	new Till(node.service, (_item, before) => (before === 0 ? 500 : 400));
	const { error } = await node.run(ask, { items: numbered(1), node: tries(2) });
	expect(error?.message).toContain('status 400');
	expect(error?.description).toContain('The call may have been debited');
});

it('hides the key of a refused item in the errors of the items that were not sent', async () => {
	const secret = 'Zq7xW3vK9mB2';
	node.service.answer = json({ message: `Key ${secret} is revoked` }, 401);
	const { run } = await node.run(
		{ ...ask, options: { concurrency: 1 } },
		{
			items: numbered(3),
			credential: { apiKey: `eak_test_${secret}` },
			node: modes.continue,
		},
	);
	expect(JSON.stringify(run.data.resultData)).toContain('was not sent, because item 0');
	expect(JSON.stringify(run.data.resultData)).not.toContain(secret);
});
