/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { ConcurrencyLimiter } from '../../nodes/VoiceSpeech/execution/limiter';

/** Lets everything that waits go on. */
const settle = async () => await new Promise<void>((resolve) => setImmediate(resolve));

describe('ConcurrencyLimiter', () => {
	it('runs thousands of calls in the order in which they ask, never more than the limit at a time', async () => {
		const limiter = new ConcurrencyLimiter(7);
		const started: number[] = [];
		let running = 0;
		let most = 0;
		const calls = Array.from({ length: 2_600 }, async (_value, index) => {
			expect(await limiter.acquire()).toBe(true);
			started.push(index);
			most = Math.max(most, ++running);
			await settle();
			running--;
			limiter.release();
		});
		await Promise.all(calls);
		expect(started).toEqual(Array.from({ length: 2_600 }, (_value, index) => index));
		expect(most).toBe(7);
	});

	it('puts a call that asks later behind the calls that wait, even behind the first thousand', async () => {
		const limiter = new ConcurrencyLimiter(1);
		const started: number[] = [];
		const call = async (index: number) => {
			await limiter.acquire();
			started.push(index);
		};
		const calls = Array.from({ length: 1_100 }, async (_value, index) => await call(index));
		for (let released = 0; released < 1_050; released++) limiter.release();
		await settle();
		const late = call(1_100);
		for (let released = 0; released < 50; released++) limiter.release();
		await Promise.all([...calls, late]);
		expect(started).toEqual(Array.from({ length: 1_101 }, (_value, index) => index));
	});

	it('ignores a fraction of its limit', async () => {
		const limiter = new ConcurrencyLimiter(1.9);
		await limiter.acquire();
		const second = limiter.acquire();
		limiter.cancelWaiting();
		expect(await second).toBe(false);
	});

	it('hands a slot that was given back to one call only', async () => {
		const limiter = new ConcurrencyLimiter(1);
		await limiter.acquire();
		limiter.release();
		const acquired: number[] = [];
		for (const index of [0, 1, 2]) void limiter.acquire().then(() => acquired.push(index));
		await settle();
		expect(acquired).toEqual([0]);
		limiter.release();
		await settle();
		expect(acquired).toEqual([0, 1]);
	});

	it('ends the wait of every call without a slot, and keeps the slots of the others', async () => {
		const limiter = new ConcurrencyLimiter(1);
		await limiter.acquire();
		const waiting = [limiter.acquire(), limiter.acquire()];
		limiter.cancelWaiting();
		expect(await Promise.all(waiting)).toEqual([false, false]);
		let isNext = false;
		const next = limiter.acquire().then((acquired) => {
			isNext = true;
			return acquired;
		});
		await settle();
		expect(isNext).toBe(false);
		limiter.release();
		expect(await next).toBe(true);
	});

	it('ends only waits that are left, after some calls got their slots', async () => {
		const limiter = new ConcurrencyLimiter(1);
		const waiting = [limiter.acquire(), limiter.acquire(), limiter.acquire()];
		limiter.release();
		limiter.cancelWaiting();
		expect(await Promise.all(waiting)).toEqual([true, true, false]);
	});
});
