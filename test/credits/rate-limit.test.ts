import { delayed, pairedItems, range, sorted } from '../support/calls';
import { useNode } from '../support/node';
import { errorText } from '../support/outcome';
import { json } from '../support/scriptedServer';

// Which responses are followed by which wait: test/execution/retry.test.ts. What may have been debited is never sent
// again: test/errors/network.test.ts. The audio is sent completely again: files-in-memory.test.ts.

const node = useNode();

/** The service refuses a call before any work, and asks to wait. */
const busy = (seconds: string) => json({ message: 'Slow down.' }, 429, { 'Retry-After': seconds });

describe('a call that was refused before any work', () => {
	it.each([
		{ limit: 0, options: { rateLimitRetries: 0 } },
		{ limit: 3, options: {} },
	])(
		'sends a call that was refused before any work again at most $limit times with the options $options',
		async ({ limit, options }) => {
			const { calls, error } = await node.runItems(1, { respond: () => busy('0'), options });
			expect(calls).toHaveLength(1 + limit);
			expect(error?.message).toContain('Slow down.');
		},
	);

	it("does not send a call again if the wait would be longer than 'Max Retry Wait (Seconds)'", async () => {
		const options = { maxRetryWaitSeconds: 2 };
		const output = await node.runItems(1, { respond: () => busy('3'), options });
		expect(output.calls).toHaveLength(1);
		expect(errorText(output)).toContain('wait 3 seconds');
	});
});

describe('while one call waits to be sent again', () => {
	it('starts no other call while one waits to be sent again', async () => {
		const { items, calls, times } = await node.runItems(6, {
			respond: (item, earlier) =>
				item === 1 && earlier === 0 ? busy('0.4') : delayed(50, json({})),
			concurrency: 2,
		});
		expect(pairedItems(items)).toEqual(range(6));
		expect(calls).toHaveLength(7);
		expect(times.filter((time) => time < (times[0] ?? 0) + 380)).toHaveLength(2);
		expect(node.service.mostAtOnce).toBe(2);
	});

	it.each(['stop', 'continue'] as const)(
		'ends the wait of a call when a failure ends the run (mode %s)',
		async (mode) => {
			const begun = Date.now();
			const { items, calls } = await node.runItems(4, {
				respond: (item) => (item === 0 ? busy('20') : delayed(100, json({}, 402))),
				concurrency: 2,
				mode,
			});
			expect(Date.now() - begun).toBeLessThan(2000);
			expect(sorted(calls)).toEqual([0, 1]);
			expect(items).toHaveLength(mode === 'stop' ? 0 : 4);
		},
	);
});
