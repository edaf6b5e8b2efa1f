import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls a function every 200 ms until it returns something. The package p-wait-for is not used, because it takes the
 * message of its error before it waits. Here, a function creates the message afterwards, so that it can include what was
 * seen last.
 *
 * @param createMessage creates the message of the error when the time is over
 * @throws {Error} when the time is over, or what the function throws
 */
export async function waitUntil<T>(
	poll: () => Promise<T | undefined> | T | undefined,
	timeoutMs: number,
	createMessage: () => string,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	while (Date.now() <= deadline) {
		const found = await poll();
		if (found !== undefined) return found;
		await sleep(200);
	}
	throw new Error(`${createMessage()} after ${timeoutMs / 1_000} s`);
}
