import { ConcurrencyLimiter } from '../../nodes/VoiceSpeech/execution/limiter';
import { range } from '../support/calls';
import { settle } from './call';

describe('ConcurrencyLimiter', () => {
	it('runs thousands of calls in the order in which they ask, never more than the limit at a time', async () => {
		const limiter = new ConcurrencyLimiter(7);
		const started: number[] = [];
		let running = 0;
		let most = 0;
		const call = async (index: number) => {
			expect(await limiter.acquire()).toBe(true);
			started.push(index);
			most = Math.max(most, ++running);
			await settle();
			running--;
			limiter.release();
		};
		const calls = range(2_600).map(call);
		while (started.length < 2_000) await settle();
		// Others still wait, so it is the last one.
		calls.push(call(2_600));
		await Promise.all(calls);
		expect(started).toEqual(range(2_601));
		expect(most).toBe(7);
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
		for (const index of range(3)) void limiter.acquire().then(() => acquired.push(index));
		await settle();
		expect(acquired).toEqual([0]);
		limiter.release();
		await settle();
		expect(acquired).toEqual([0, 1]);
	});

	it('ends the wait of every call without a slot, and keeps the slots of the others', async () => {
		const limiter = new ConcurrencyLimiter(1);
		const calls = [limiter.acquire(), limiter.acquire(), limiter.acquire()];
		limiter.release();
		limiter.cancelWaiting();
		expect(await Promise.all(calls)).toEqual([true, true, false]);
		let isNext = false;
		void limiter.acquire().then(() => (isNext = true));
		await settle();
		expect(isNext).toBe(false);
		limiter.release();
		await settle();
		expect(isNext).toBe(true);
	});
});
