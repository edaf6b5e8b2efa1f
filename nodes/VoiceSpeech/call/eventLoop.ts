import { sleep } from 'n8n-workflow';

import { maxBlockingMs } from '../limits';

/** Lets n8n do other work while a loop computes, because one process of n8n does everything. */
export class EventLoopYielder {
	private lastYieldAt = Date.now();

	/** Waits for the event loop's next turn if the last one was {@link maxBlockingMs} ago. */
	async yieldIfDue(): Promise<void> {
		if (Date.now() - this.lastYieldAt < maxBlockingMs) return;
		await sleep(0);
		this.lastYieldAt = Date.now();
	}
}
