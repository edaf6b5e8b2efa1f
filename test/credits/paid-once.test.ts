import { useNode } from '../support/node';
import { errorText, maybeDebited, outcomesOf } from '../support/outcome';
import { json } from '../support/recorder';
import { ask, modes, numbered, pairs, reset, Till, tries, upTo } from './till';

const node = useNode();

/**
 * n8n repeats a node with Retry On Fail, even without a failure, if the first item that comes out has a `json.error`
 * (n8n-core, workflow-execute, `checkFailure`). A service may well name a field so.
 */
describe('Retry On Fail: a success whose response has a field named error is paid once', () => {
	const values: unknown[] = ['', null, false, 0, 'none', {}, { code: 7 }, []];

	it.each(values)('error: %j', async (error) => {
		for (const mode of ['stop', 'continue', 'error output'] as const) {
			const till = new Till(node.service, (item) => json({ item, error }));
			const output = await node.run(ask, {
				items: numbered(3),
				node: { ...tries(3), ...modes[mode] },
			});
			expect(till.calls.sort()).toEqual([0, 1, 2]);
			expect(output.error).toBeUndefined();
			const all = [...output.items, ...output.errorItems];
			expect(all).toHaveLength(3);
			if (mode !== 'error output') {
				expect(pairs(all)).toEqual(upTo(3));
				expect(all.map((item) => item.json)).toEqual(upTo(3).map((item) => ({ item, error })));
			}
		}
	});

	it('and so are the items after one that failed', async () => {
		const till = new Till(node.service, (item) =>
			item === 1 ? json({ error: 'No.' }, 400) : json({ item, error: 'none' }),
		);
		const output = await node.run(ask, {
			items: numbered(3),
			node: { ...tries(3), ...modes.continue },
		});
		expect(till.calls.filter((item) => item !== 1).sort()).toEqual([0, 2]);
		expect(output.items).toHaveLength(3);
	});
});

describe('Retry On Fail: what the message says about another try is true', () => {
	it.each([
		['a 500', json({ message: 'Ouch.' }, 500)],
		['a reset', reset],
	])('with Retry On Fail, after %s', async (_what, answer) => {
		for (const mode of ['stop', 'continue'] as const) {
			const till = new Till(node.service, () => answer);
			const output = await node.run(ask, {
				items: numbered(1),
				node: { ...tries(3), ...modes[mode] },
			});
			expect(till.calls).toEqual([0, 0, 0]);
			const text =
				mode === 'stop' ? errorText(output) : String(outcomesOf(output).map(({ error }) => error));
			expect(text).toMatch(maybeDebited);
			expect(text).not.toMatch(/not repeat|not sent again|once only|only once/i);
			expect(text).toContain('Retry On Fail');
		}
	});

	it('without Retry On Fail, the call is made once', async () => {
		const till = new Till(node.service, () => json({ message: 'Ouch.' }, 500));
		const output = await node.run(ask, { items: numbered(1) });
		expect(till.calls).toEqual([0]);
		expect(errorText(output)).toMatch(maybeDebited);
	});
});
