import { setTimeout as sleep } from 'node:timers/promises';

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

/**
 * Waits for 20 turns of the event loop and 20 ms, in which several steps in a row go on, also if the node lets n8n do
 * other work (`EventLoopYielder`) between them. What the test's service has sent is then with the node, because both
 * are in this process, and the system passes bytes between its sockets on within a turn or two. This proves nothing,
 * so tests use it only where no event shows what they wait for: that the node has read a response, or that it sends
 * nothing more.
 */
export async function settleAll(): Promise<void> {
	for (let turn = 0; turn < 20; turn++) {
		await settle();
		await sleep(1);
	}
}

/** Whether the promise is fulfilled or rejected once everything else has gone on. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
	const markSettled = () => true;
	const settled = promise.then(markSettled, markSettled);
	return await Promise.race([settled, settleAll().then(() => false)]);
}
