import { pause } from '../async/pause';

/** When the batches of n8n's Batching start. */
export class BatchSchedule {
	private readonly startedAt = performance.now();
	private lastBatch = 0;
	private lastStart = Promise.resolve();

	/** @param intervalMs time between the starts of two batches in ms */
	constructor(private readonly intervalMs: number) {}

	/**
	 * Waits until the batch starts, or the signal aborts. All items of a batch wait for the same promise, because timers
	 * of their own could end in another order.
	 *
	 * @param batch number of the batch, from 0; must not be lower than in an earlier call
	 */
	async waitForBatch(batch: number, stopSignal: AbortSignal): Promise<void> {
		if (batch > this.lastBatch && this.intervalMs > 0) {
			this.lastBatch = batch;
			const startTime = this.startedAt + batch * this.intervalMs;
			this.lastStart = this.lastStart.then(async () => {
				const waitMs = startTime - performance.now();
				if (waitMs > 0) await pause(waitMs, stopSignal);
			});
		}
		await this.lastStart;
	}
}
