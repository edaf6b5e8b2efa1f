import { toError } from '../errors/toError';

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
