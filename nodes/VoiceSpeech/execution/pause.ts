import { maxTimerMs } from '../limits';

/** Reason for aborting our own signals: without one, Node creates an exception with a stack for each. */
export const abortReason = 'finished';

/** Settles as the promise, or rejects once the signal aborts: n8n's storage may be slow, or never settle. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
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
 * @param ended ends the wait when it aborts
 */
export async function pause(milliseconds: number, ended: AbortSignal): Promise<void> {
	if (ended.aborted) return;
	const delay = Math.min(Math.max(0, Math.ceil(milliseconds)), maxTimerMs);
	const timer = AbortSignal.timeout(delay);
	await new Promise<void>((resolve) => {
		const end = () => {
			timer.removeEventListener('abort', end);
			ended.removeEventListener('abort', end);
			resolve();
		};
		timer.addEventListener('abort', end);
		ended.addEventListener('abort', end);
	});
}
