import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls a function every 200 ms until it returns something. (p-wait-for needs its message before it waits. This one asks
 * for the message afterwards, so that it can say what was seen last.)
 * @param late the message of the error when the time is over
 * @throws {Error} when the time is over, or what the function throws
 */
export async function waitUntil<T>(
	poll: () => Promise<T | undefined> | T | undefined,
	timeoutMs: number,
	late: () => string,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	while (Date.now() <= deadline) {
		const found = await poll();
		if (found !== undefined) return found;
		await sleep(200);
	}
	throw new Error(`${late()} after ${timeoutMs / 1_000} s`);
}
