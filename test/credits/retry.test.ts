import { speechToText, useNode } from '../support/node';
import { json, type Answer } from '../support/recorder';
import { after, ask, modes, numbered, pairs, reset, Till, upTo } from './till';

const node = useNode();

/** Refused before any work, with the wait the service asks for. */
function busy(status: number, retryAfter?: string | (() => string), headers = {}): Answer {
	return (...call) => {
		const value = typeof retryAfter === 'function' ? retryAfter() : retryAfter;
		const told: Record<string, string> = value === undefined ? {} : { 'Retry-After': value };
		json({ message: 'Slow down.' }, status, { ...told, ...headers })(...call);
	};
}

const inTwoSeconds = () => new Date(Date.now() + 2000).toUTCString();

describe('a call that was refused before any work', () => {
	it.each([
		['429, seconds', busy(429, '1'), 1000, 1700],
		['429, at once', busy(429, '0'), 0, 500],
		['429, a date', busy(429, inTwoSeconds), 900, 2700],
		[
			'429, a date by a clock of its own',
			busy(429, 'Wed, 21 Oct 2015 07:28:01 GMT', { Date: 'Wed, 21 Oct 2015 07:28:00 GMT' }),
			1000,
			1700,
		],
		['429, a date that has passed', busy(429, 'Wed, 21 Oct 2015 07:28:00 GMT'), 0, 500],
		['429, no time', busy(429), 500, 1700],
		['429, nonsense', busy(429, '-1'), 500, 1700],
		['503, seconds', busy(503, '1'), 1000, 1700],
	])('is sent again: %s', async (_what, answer, atLeast, atMost) => {
		const till = new Till(node.service, (_item, before) => (before === 0 ? answer : 200));
		const { error, items } = await node.run(ask, { items: numbered(1) });
		expect(error).toBeUndefined();
		expect(till.calls).toEqual([0, 0]);
		expect(items).toHaveLength(1);
		const [first = 0, second = 0] = till.times;
		expect(second - first).toBeGreaterThanOrEqual(atLeast - 20);
		expect(second - first).toBeLessThan(atMost);
	});

	it('waits twice as long each time where the service names no time', async () => {
		const till = new Till(node.service, (_item, before) => (before < 2 ? busy(429) : 200));
		await node.run(ask, { items: numbered(1) });
		const [first = 0, second = 0, third = 0] = till.times;
		const waits = [second - first, (third - second) / 2];
		for (const wait of waits) {
			expect(wait).toBeGreaterThanOrEqual(480);
			expect(wait).toBeLessThan(1400);
		}
	});

	it.each([0, 1, 4])('is sent again %i times at most, where the option says so', async (limit) => {
		const till = new Till(node.service, () => busy(429, '0'));
		const { error } = await node.run(
			{ ...ask, options: { rateLimitRetries: limit } },
			{ items: numbered(1) },
		);
		expect(till.calls).toHaveLength(1 + limit);
		expect(error?.message).toContain('Slow down.');
	});

	it('is sent again three times where the option is not set', async () => {
		const till = new Till(node.service, () => busy(429, '0'));
		await node.run(ask, { items: numbered(1) });
		expect(till.calls).toHaveLength(4);
	});

	it.each([
		[429, '301', {}, 'wait 301 seconds'],
		[503, '301', {}, 'wait 301 seconds'],
		[429, '3', { maxRetryWaitSeconds: 2 }, 'wait 3 seconds'],
	])(
		'is not sent again after a %i with a wait of %s seconds',
		async (status, asked, options, says) => {
			const till = new Till(node.service, () => busy(status, asked));
			const { error } = await node.run({ ...ask, options }, { items: numbered(1) });
			expect(till.calls).toHaveLength(1);
			expect(`${error?.message} ${error?.description}`).toContain(says);
		},
	);
});

describe('a call that may have been debited', () => {
	it.each<[string, number | Answer]>([
		['400', 400],
		['401', 401],
		['408', 408],
		['500', 500],
		['500 with Retry-After', busy(500, '0')],
		['502 with Retry-After', busy(502, '0')],
		['503', 503],
		['503 with nonsense', busy(503, 'soon')],
		['504 with Retry-After', busy(504, '0')],
		['a reset', reset],
	])('is never sent again: %s', async (_what, answer) => {
		const till = new Till(node.service, () => answer);
		const { error } = await node.run(ask, { items: numbered(1) });
		expect(till.calls).toHaveLength(1);
		expect(error).toBeDefined();
	});

	it('is never sent again: no answer in time', async () => {
		const till = new Till(node.service, () => () => {});
		await node.run({ ...ask, options: { answerTimeoutSeconds: 1 } }, { items: numbered(1) });
		expect(till.calls).toHaveLength(1);
	});
});

it('sends the whole recording again', async () => {
	node.service.answer = (request, response, index) =>
		(index === 0 ? busy(429, '0') : json({}))(request, response, index);
	const { error } = await node.run(speechToText);
	expect(error).toBeUndefined();
	const [first, second] = node.service.requests;
	expect(second?.parts[0]?.sha256).toBe(first?.parts[0]?.sha256);
});

describe('while one call waits to be sent again', () => {
	it('no other starts', async () => {
		const till = new Till(node.service, (item, before) =>
			item === 1 && before === 0 ? busy(429, '1') : after(100, json({})),
		);
		const { items } = await node.run(
			{ ...ask, options: { concurrency: 2 } },
			{ items: numbered(6) },
		);
		expect(pairs(items)).toEqual(upTo(6));
		expect(till.calls).toHaveLength(7);
		const early = till.times.filter((time) => time < (till.times[0] ?? 0) + 900);
		expect(early).toHaveLength(2);
		expect(node.service.mostAtOnce).toBe(2);
	});

	it.each(['stop', 'continue'] as const)('a stop ends the wait at once, mode %s', async (mode) => {
		const till = new Till(node.service, (item) =>
			item === 0 ? busy(429, '20') : after(100, json({}, 402)),
		);
		const begun = Date.now();
		const { items } = await node.run(
			{ ...ask, options: { concurrency: 2 } },
			{ items: numbered(4), node: modes[mode] },
		);
		expect(Date.now() - begun).toBeLessThan(2000);
		expect(till.calls.sort()).toEqual([0, 1]);
		expect(items).toHaveLength(mode === 'stop' ? 0 : 4);
	});
});
