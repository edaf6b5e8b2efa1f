import { setTimeout as sleep } from 'node:timers/promises';

import { UserFacingError } from './errors.mts';

export interface WaitOptions {
	/** The default is below jest's time limit, because the error of jest would not show what did not happen. */
	timeoutMs?: number;
	/** The default is for tests, which must continue within milliseconds. A function that sends requests takes more. */
	intervalMs?: number;
	/** Says to the user what did not happen. Without it, the error is for developers, and shows the function's source. */
	createMessage?: () => string;
}

/**
 * Calls a function until it returns something other than undefined or false. The package p-wait-for is not used, because it
 * takes the message of its error before it waits.
 *
 * @throws {UserFacingError} when the time is over, or {Error} without `createMessage`; otherwise what the function throws
 */
export async function waitUntil<T>(
	poll: () => Promise<T | false | undefined> | T | false | undefined,
	options: WaitOptions = {},
): Promise<T> {
	const { timeoutMs = 25_000, intervalMs = 5, createMessage } = options;
	// test/support/clock.mts stops `Date.now` and `performance.now`.
	const deadline = process.uptime() + timeoutMs / 1_000;
	for (;;) {
		const found = await poll();
		if (found !== undefined && found !== false) return found;
		if (process.uptime() > deadline) {
			const start = `After ${timeoutMs / 1_000} s:`;
			if (createMessage) throw new UserFacingError(`${start} ${createMessage()}`);
			throw new Error(`${start} This did not become true: ${poll.toString()}`);
		}
		await sleep(intervalMs);
	}
}
