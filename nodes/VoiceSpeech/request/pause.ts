/** Reason to abort a signal of our own with: without one, Node makes an exception with a stack for each. */
export const abortReason = 'over';

/** Longest time a timer can hold, in milliseconds. */
const longest = 2 ** 31 - 1;

/**
 * Waits, and leaves nothing behind when it is ended early: timers of one's own may not be set in a verified node.
 *
 * @param milliseconds how long; infinity waits for the end alone
 * @param ended when it aborts, the wait is over
 */
export async function pause(milliseconds: number, ended: AbortSignal): Promise<void> {
	if (ended.aborted) return;
	const time = AbortSignal.timeout(Math.min(Math.max(0, Math.ceil(milliseconds)), longest));
	await new Promise<void>((resolve) => {
		const end = () => {
			time.removeEventListener('abort', end);
			ended.removeEventListener('abort', end);
			resolve();
		};
		time.addEventListener('abort', end);
		ended.addEventListener('abort', end);
	});
}
