import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls a function every 200 ms until it returns something.
 * @template T
 * @param {() => Promise<T | undefined> | T | undefined} look
 * @param {number} timeoutMs
 * @param {() => string} late the message of the error when the time is over
 * @returns {Promise<T>}
 */
export async function until(look, timeoutMs, late) {
	for (const deadline = Date.now() + timeoutMs; ; await sleep(200)) {
		const found = await look();
		if (found !== undefined) return found;
		if (Date.now() > deadline) throw new Error(`${late()} after ${timeoutMs / 1_000} s`);
	}
}
