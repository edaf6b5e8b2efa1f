import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls a function every 200 ms until it returns something.
 * @param late the message of the error when the time is over
 */
export async function until<T>(
	look: () => Promise<T | undefined> | T | undefined,
	timeoutMs: number,
	late: () => string,
): Promise<T> {
	for (const deadline = Date.now() + timeoutMs; ; await sleep(200)) {
		const found = await look();
		if (found !== undefined) return found;
		if (Date.now() > deadline) throw new Error(`${late()} after ${timeoutMs / 1_000} s`);
	}
}
