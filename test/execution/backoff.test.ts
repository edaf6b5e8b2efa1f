/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { sleep } from 'n8n-workflow';
import { getEventListeners } from 'node:events';

import { RateLimitBackoff } from '../../nodes/VoiceSpeech/execution/backoff';

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

	it('holds back nothing once the run has ended', async () => {
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
