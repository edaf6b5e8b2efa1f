import { delayed, pairedItems, range, sorted } from '../support/calls';
import { speechToText, useNode } from '../support/node';
import { errorText } from '../support/outcome';
import { json, type Answer } from '../support/scriptedServer';

// Which responses are followed by which wait: test/execution/retry.test.ts. What may have been debited is never sent
// again: test/errors/network.test.ts.

const node = useNode();

/** The service refuses a call before any work, and may ask to wait. */
function busy(status: number, retryAfter?: string): Answer {
	const headers = retryAfter === undefined ? undefined : { 'Retry-After': retryAfter };
	return json({ message: 'Slow down.' }, status, headers);
}

describe('a call that was refused before any work', () => {
	it.each([
		['429, seconds', busy(429, '0.4'), 400],
		['429, no time', busy(429), 500],
		['503, seconds', busy(503, '0.4'), 400],
	])('is sent again: %s', async (_what, answer, atLeast) => {
		const { error, items, calls, times } = await node.runItems(1, {
			respond: (_item, earlier) => (earlier === 0 ? answer : 200),
		});
		expect(error).toBeUndefined();
		expect(calls).toEqual([0, 0]);
		expect(items).toHaveLength(1);
		const [first = 0, second = 0] = times;
		expect(second - first).toBeGreaterThanOrEqual(atLeast - 20);
		expect(second - first).toBeLessThan(1700);
	});

	it.each([
		[0, { rateLimitRetries: 0 }],
		[3, {}],
	])('is sent again at most %i times with the options %j', async (limit, options) => {
		const { calls, error } = await node.runItems(1, { respond: () => busy(429, '0'), options });
		expect(calls).toHaveLength(1 + limit);
		expect(error?.message).toContain('Slow down.');
	});

	it.each([
		[503, '301', {}],
		[429, '3', { maxRetryWaitSeconds: 2 }],
	])('is not sent again after a %i that asks for %s seconds, options %j', async (...row) => {
		const [status, seconds, options] = row;
		const output = await node.runItems(1, { respond: () => busy(status, seconds), options });
		expect(output.calls).toHaveLength(1);
		expect(errorText(output)).toContain(`wait ${seconds} seconds`);
	});

	it('is sent with the entire recording again', async () => {
		node.service.answer = (...call) => (call[2] === 0 ? busy(429, '0') : json({}))(...call);
		const { error } = await node.run(speechToText);
		expect(error).toBeUndefined();
		const [first, second] = node.service.requests;
		expect(second?.parts[0]?.sha256).toBe(first?.parts[0]?.sha256);
	});
});

describe('while one call waits to be sent again', () => {
	it('no other starts', async () => {
		const { items, calls, times } = await node.runItems(6, {
			respond: (item, earlier) =>
				item === 1 && earlier === 0 ? busy(429, '0.4') : delayed(50, json({})),
			concurrency: 2,
		});
		expect(pairedItems(items)).toEqual(range(6));
		expect(calls).toHaveLength(7);
		expect(times.filter((time) => time < (times[0] ?? 0) + 380)).toHaveLength(2);
		expect(node.service.mostAtOnce).toBe(2);
	});

	it.each(['stop', 'continue'] as const)(
		'a failure that ends the run ends the wait, mode %s',
		async (mode) => {
			const begun = Date.now();
			const { items, calls } = await node.runItems(4, {
				respond: (item) => (item === 0 ? busy(429, '20') : delayed(100, json({}, 402))),
				concurrency: 2,
				mode,
			});
			expect(Date.now() - begun).toBeLessThan(2000);
			expect(sorted(calls)).toEqual([0, 1]);
			expect(items).toHaveLength(mode === 'stop' ? 0 : 4);
		},
	);
});
