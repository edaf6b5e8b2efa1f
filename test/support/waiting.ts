import { setTimeout as sleep } from 'node:timers/promises';

interface WaitOptions {
	/** The default is below jest's time limit, because the error of jest would not show the condition. */
	timeoutMs?: number;
	intervalMs?: number;
	/** Creates the error when the time is over. The default one shows the condition's source code. */
	createError?: () => Error;
}

/**
 * Waits until a condition is true. `dev/lib/waitUntil.mts` is not used, because it waits 200 ms between two polls, and
 * many tests must continue within milliseconds.
 *
 * @throws {Error} when the time is over
 */
export async function waitUntil(
	isTrue: () => boolean | Promise<boolean>,
	options: WaitOptions = {},
): Promise<void> {
	const { timeoutMs = 25_000, intervalMs = 5 } = options;
	const showCondition = () =>
		new Error(`This did not become true in ${timeoutMs / 1_000} s: ${isTrue.toString()}`);
	const { createError = showCondition } = options;
	const deadline = Date.now() + timeoutMs;
	while (!(await isTrue())) {
		if (Date.now() > deadline) throw createError();
		await sleep(intervalMs);
	}
}

/** A promise, and the function that resolves it. */
export function createDeferred<T = void>() {
	let resolve: (value: T) => void = () => {};
	const promise = new Promise<T>((resolvePromise) => {
		resolve = resolvePromise;
	});
	return { promise, resolve };
}

/** Rejects once the signal aborts. */
export async function rejectWhenAborted(signal: AbortSignal): Promise<never> {
	return await new Promise((_resolve, reject) =>
		signal.addEventListener('abort', () => reject(new Error('aborted'))),
	);
}

/** Never settles, and does not react to a signal. */
export async function waitForever(): Promise<never> {
	return await new Promise<never>(() => {});
}

/** Lets the event loop make turns, in which everything that waits goes on. */
export async function settle(turns = 1): Promise<void> {
	for (let turn = 0; turn < turns; turn++) {
		await new Promise<void>((resolve) => setImmediate(resolve));
	}
}

/** Lets several steps in a row go on, also if the node lets n8n do other work (`EventLoopYielder`) between them. */
export async function settleAll(): Promise<void> {
	for (let turn = 0; turn < 20; turn++) {
		await settle();
		await sleep(1);
	}
}

export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
	let settled = false;
	void promise.then(() => {
		settled = true;
	});
	await settleAll();
	return settled;
}
