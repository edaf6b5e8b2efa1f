/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { sleep } from 'n8n-workflow';
import { getEventListeners } from 'node:events';

import {
	RateLimitBackoff,
	retryAfterSeconds,
	retryWait,
} from '../../nodes/VoiceSpeech/execution/retry';

describe('RateLimitBackoff', () => {
	it('holds back all calls with one listener, each time for the longest wait', async () => {
		const ended = new AbortController();
		const backoff = new RateLimitBackoff();
		await backoff.over(ended.signal);
		for (let round = 0; round < 2; round++) {
			const begun = Date.now();
			backoff.begin(0.2);
			backoff.begin(0.1);
			expect(backoff.inEffect).toBe(true);
			const waiting = Array.from({ length: 50 }, async () => await backoff.over(ended.signal));
			expect(getEventListeners(ended.signal, 'abort')).toHaveLength(1);
			await Promise.all(waiting);
			expect(backoff.inEffect).toBe(false);
			expect(Date.now() - begun).toBeGreaterThanOrEqual(200);
			expect(Date.now() - begun).toBeLessThan(2000);
			expect(getEventListeners(ended.signal, 'abort')).toHaveLength(0);
		}
	});

	it('goes on where a longer wait begins meanwhile', async () => {
		const backoff = new RateLimitBackoff();
		const begun = Date.now();
		backoff.begin(0.1);
		const waiting = backoff.over(new AbortController().signal);
		backoff.begin(0.3);
		await waiting;
		expect(Date.now() - begun).toBeGreaterThanOrEqual(300);
	});

	it('holds back nothing once the try has ended', async () => {
		const ended = new AbortController();
		const backoff = new RateLimitBackoff();
		backoff.begin(60);
		void sleep(50).then(() => ended.abort());
		await backoff.over(ended.signal);
		await backoff.over(ended.signal);
	});

	it('holds back the next try of a run too, whose earlier try has ended', async () => {
		const earlier = new AbortController();
		const backoff = new RateLimitBackoff();
		const begun = Date.now();
		backoff.begin(0.2);
		const waiting = backoff.over(earlier.signal);
		const next = backoff.over(new AbortController().signal);
		earlier.abort();
		await waiting;
		await next;
		expect(Date.now() - begun).toBeGreaterThanOrEqual(200);
	});
});

const now = 'Wed, 21 Oct 2015 07:28:00 GMT';

describe('Retry-After', () => {
	it.each([
		['0', 0],
		['12', 12],
		['1.25', 1.25],
		['Wed, 21 Oct 2015 07:28:30 GMT', 30],
		['Wednesday, 21-Oct-15 07:28:30 GMT', 30],
		['wed, 21 Oct 2015 07:28:30 GMT', 30],
		['Wed, 21 Oct 2015 07:27:00 GMT', 0],
	])('%s is %d seconds', (value, seconds) => {
		expect(retryAfterSeconds({ 'retry-after': value, date: now })).toBe(seconds);
	});

	it.each([
		...[undefined, '', ' ', '2x', 'x2', '1.', '.5', '1.x', '-1', 'soon', 'abc 1', 'Wed'],
		...['21 Oct 2015', 'at Wed, 21 Oct 2015 07:28:30 GMT'],
	])('%s says nothing', (value) => {
		expect(retryAfterSeconds({ 'retry-after': value, date: now })).toBeUndefined();
	});
});

describe('a call that the service refused', () => {
	const limits = { rateLimitRetries: 1, maxRetryWaitSeconds: 2 };

	it('is sent again after the longest wait that is allowed, not after a longer one', () => {
		expect(retryWait(429, { 'retry-after': '2' }, 0, limits)).toBe(2);
		expect(retryWait(429, { 'retry-after': '2.01' }, 0, limits)).toBeUndefined();
	});

	it.each([
		[429, {}, true],
		[503, { 'retry-after': '1' }, true],
		[503, {}, false],
		[500, { 'retry-after': '1' }, false],
		[408, { 'retry-after': '1' }, false],
		[200, { 'retry-after': '1' }, false],
	])('with status %i and %j: %s', (status, headers, isRepeated) => {
		expect(retryWait(status, headers, 0, limits) !== undefined).toBe(isRepeated);
	});

	it('waits for another time each time where the service names none, within the limit', () => {
		const waits = Array.from(
			{ length: 50 },
			() => retryWait(429, {}, 2, { rateLimitRetries: 5, maxRetryWaitSeconds: 300 }) ?? NaN,
		);
		expect(new Set(waits).size).toBeGreaterThan(40);
		expect(Math.min(...waits)).toBeGreaterThanOrEqual(2);
		expect(Math.max(...waits)).toBeLessThanOrEqual(4);
	});
});
