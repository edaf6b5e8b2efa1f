import { sleep } from 'n8n-workflow';

import { maxBlockingMs, maxTimerMs } from '../limits';

/** Reason for aborting our own signals. Without a reason, Node creates an exception with a stack for each. */
export const abortReason = 'finished';

/** Settles as the promise, or rejects once the signal aborts, because n8n's storage may be slow or never settle. */
export async function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	return await new Promise<T>((resolve, reject) => {
		const stop = () => reject(signal.reason as Error);
		signal.addEventListener('abort', stop);
		if (signal.aborted) stop();
		// Otherwise the signal would keep the result, which may hold an entire file, in memory.
		void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
	});
}

/**
 * Waits with AbortSignal.timeout, because n8n's lint forbids setTimeout. Removes its listeners at the end, so that the
 * timer can be collected.
 *
 * @param milliseconds longer than 24.8 days is cut; callers wait in a loop
 * @param stopSignal ends the wait when it aborts. Node warns of more than ten listeners on one signal, so concurrent waits
 * need a signal each.
 */
export async function pause(milliseconds: number, stopSignal: AbortSignal): Promise<void> {
	if (stopSignal.aborted) return;
	const delay = Math.min(Math.max(0, Math.ceil(milliseconds)), maxTimerMs);
	const timer = AbortSignal.timeout(delay);
	await new Promise<void>((resolve) => {
		const end = () => {
			timer.removeEventListener('abort', end);
			stopSignal.removeEventListener('abort', end);
			resolve();
		};
		timer.addEventListener('abort', end);
		stopSignal.addEventListener('abort', end);
	});
}

/** Lets n8n do other work while a loop computes, because one process of n8n does everything. */
export class EventLoopYield {
	private lastYieldAt = Date.now();

	/** Waits for the event loop's next turn if the last one was {@link maxBlockingMs} ago. */
	async yieldIfDue(): Promise<void> {
		if (Date.now() - this.lastYieldAt < maxBlockingMs) return;
		await sleep(0);
		this.lastYieldAt = Date.now();
	}
}
