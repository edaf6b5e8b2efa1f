import { getEventListeners } from 'node:events';

import {
	RateLimitBackoff,
	chooseRetryDelay,
	readRetryAfter,
} from '../../nodes/VoiceSpeech/call/backoff.ts';
import { readOptions } from '../../nodes/VoiceSpeech/call/readOptions.ts';
import { maxFirstRetryWaitSeconds } from '../../nodes/VoiceSpeech/limits.ts';
import { analyzeSentiment } from '../../nodes/VoiceSpeech/resources/language/analyzeSentiment.ts';
import { useClock } from '../support/clock.mts';
import { isSettled } from '../support/waiting.mts';

describe('a back-off', () => {
	const clock = useClock();

	/** Expects calls to wait for this many ms, and no longer. */
	async function expectWait(waiting: Promise<unknown>, milliseconds: number): Promise<void> {
		await clock.advance(milliseconds - 1);
		expect(await isSettled(waiting)).toBe(false);
		await clock.advance(1);
		expect(await isSettled(waiting)).toBe(true);
	}

	it('holds back all calls until the longest wait is over, and leaves no listeners', async () => {
		const signals = Array.from({ length: 50 }, () => new AbortController().signal);
		const backoff = new RateLimitBackoff();
		for (let round = 0; round < 2; round++) {
			expect(backoff.isInEffect).toBe(false);
			backoff.begin(0.2);
			backoff.begin(0.1);
			expect(backoff.isInEffect).toBe(true);
			const waits = signals.map(async (signal) => await backoff.waitUntilOver(signal));
			await expectWait(Promise.race(waits), 200);
			await Promise.all(waits);
			expect(backoff.isInEffect).toBe(false);
			for (const signal of signals) expect(getEventListeners(signal, 'abort')).toHaveLength(0);
		}
	});

	it('continues if a longer one begins meanwhile', async () => {
		const backoff = new RateLimitBackoff();
		backoff.begin(0.1);
		const waiting = backoff.waitUntilOver(new AbortController().signal);
		backoff.begin(0.3);
		await expectWait(waiting, 300);
	});

	it("does not become longer if the system's clock is set back", async () => {
		const backoff = new RateLimitBackoff();
		backoff.begin(0.2);
		const waiting = backoff.waitUntilOver(new AbortController().signal);
		clock.correct(-3_600_000);
		await expectWait(waiting, 200);
	});

	it('holds back only calls that are not stopped', async () => {
		const stop = new AbortController();
		const otherStop = new AbortController();
		const backoff = new RateLimitBackoff();
		backoff.begin(60);
		const waiting = backoff.waitUntilOver(stop.signal);
		const other = backoff.waitUntilOver(otherStop.signal);
		expect(await isSettled(waiting)).toBe(false);
		stop.abort();
		await waiting;
		await backoff.waitUntilOver(stop.signal);
		expect(await isSettled(other)).toBe(false);
		otherStop.abort();
		await other;
	});

	it('holds back calls for more than 24.8 days, the longest delay of a timer', async () => {
		const backoff = new RateLimitBackoff();
		const days = 30 * 24 * 3600;
		backoff.begin(days);
		const waiting = backoff.waitUntilOver(new AbortController().signal);
		await expectWait(waiting, days * 1_000);
	});
});

/** The service's clock. */
const date = 'Wed, 21 Oct 2015 07:28:00 GMT';

describe('Retry-After', () => {
	it.each([
		['0', 0],
		['12', 12],
		['1.25', 1.25],
		['Wed, 21 Oct 2015 07:28:30 GMT', 30],
		['Wednesday, 21-Oct-15 07:28:30 GMT', 30],
		['Wed Oct 21 07:28:30 2015', 30],
		['Wed, 21 Oct 2015 07:27:00 GMT', 0],
	])('of %s is %d seconds by the clock of the service', (value, seconds) => {
		expect(readRetryAfter({ 'retry-after': value, date })).toBe(seconds);
	});

	it('counts by our clock if the service does not send its own', () => {
		const value = new Date(Date.now() + 60_000).toUTCString();
		for (const headers of [{ 'retry-after': value }, { 'retry-after': value, date: 'today' }]) {
			const seconds = readRetryAfter(headers);
			expect(seconds).toBeGreaterThan(50);
			expect(seconds).toBeLessThanOrEqual(60);
		}
	});

	it.each([
		...[undefined, '', ' ', '2x', 'x2', '1.', '.5', '-1', 'soon', 'abc 1', 'Wed'],
		...['21 Oct 2015', 'at Wed, 21 Oct 2015 07:28:30 GMT'],
	])('is ignored if it is %p', (value) => {
		expect(readRetryAfter({ 'retry-after': value, date })).toBeUndefined();
	});
});

describe('a call that the service refused', () => {
	const createOptions = (changed: object) =>
		readOptions(changed, { ...analyzeSentiment.endpoint, input: 'chosen' });
	const limits = createOptions({ rateLimitRetries: 1, maxRetryWaitSeconds: 2 });

	it('is retried after the wait that the service asks for, unless it is longer than allowed', () => {
		expect(chooseRetryDelay(429, 0, 0, limits)).toBe(0);
		expect(chooseRetryDelay(429, 2, 0, limits)).toBe(2);
		expect(chooseRetryDelay(429, 2.01, 0, limits)).toBeUndefined();
	});

	// test/service/statusMeaning.test.mts has all statuses.
	it('is retried only if it was refused before any work', () => {
		expect(chooseRetryDelay(503, 1, 0, limits)).toBe(1);
		expect(chooseRetryDelay(503, undefined, 0, limits)).toBeUndefined();
	});

	it('is retried as often as Rate Limit Retries allows', () => {
		const twice = createOptions({ rateLimitRetries: 2 });
		const secondWait = chooseRetryDelay(429, undefined, 1, twice);
		expect(secondWait).toBeGreaterThanOrEqual(maxFirstRetryWaitSeconds);
		expect(secondWait).toBeLessThanOrEqual(2 * maxFirstRetryWaitSeconds);
		expect(chooseRetryDelay(429, undefined, 2, twice)).toBeUndefined();
		for (const rateLimitRetries of [0, 0.5]) {
			const never = createOptions({ rateLimitRetries });
			expect(chooseRetryDelay(429, undefined, 0, never)).toBeUndefined();
		}
	});

	/** Waits of many calls that were refused for the third time. */
	function chooseDelays(maxRetryWaitSeconds: number): number[] {
		const patient = createOptions({ rateLimitRetries: 5, maxRetryWaitSeconds });
		return Array.from({ length: 50 }, () => chooseRetryDelay(429, undefined, 2, patient) ?? NaN);
	}

	it('waits for a random time between half and all of the doubled wait if the service names none', () => {
		const waits = chooseDelays(300);
		expect(new Set(waits).size).toBeGreaterThan(40);
		expect(Math.min(...waits)).toBeGreaterThanOrEqual(2 * maxFirstRetryWaitSeconds);
		expect(Math.max(...waits)).toBeLessThanOrEqual(4 * maxFirstRetryWaitSeconds);
	});

	it('is retried after Max Retry Wait (Seconds) at the latest if the service names no wait', () => {
		expect(chooseDelays(1)).toEqual(Array(50).fill(1));
		expect(chooseDelays(0)).toEqual(Array(50).fill(0));
		for (const seconds of chooseDelays(3)) expect(seconds).toBeLessThanOrEqual(3);
	});
});
