import { sleep } from 'n8n-workflow';

import { maxBlockingMs } from '../limits';

/** Yields to the event loop while a loop computes, because n8n does other work in the same thread. */
export class EventLoopYielder {
	/** A time of `performance.now()`, in ms. */
	private lastYieldAt = performance.now();

	/** Waits for the next iteration of the event loop if the last yield was at least {@link maxBlockingMs} ago. */
	async yieldIfDue(): Promise<void> {
		if (performance.now() - this.lastYieldAt < maxBlockingMs) return;
		await sleep(0);
		this.lastYieldAt = performance.now();
	}
}
