import { pause } from '../streams/pause';

/**
 * Settings of n8n's Batching. `size` items are a batch, and the next batch may start after `intervalMs`. The size may have
 * a fraction, because an expression can divide. Batches then differ by one item.
 */
export interface Batching {
	size: number;
	intervalMs: number;
}

/** When the batches of n8n's Batching start. */
export class BatchSchedule {
	/** A time of `performance.now()`, in ms. */
	private readonly startedAt = performance.now();
	private itemCount = 0;
	private lastBatch = 0;
	private lastStart = Promise.resolve();

	constructor(private readonly batching: Batching) {}

	/**
	 * Adds the next item to the last batch, or to a new one if that has all of its items, and waits until the batch starts,
	 * or the signal aborts. All items of a batch wait for the same promise, because timers of their own could end in another
	 * order.
	 */
	async waitForNextItem(stopSignal: AbortSignal): Promise<void> {
		const { size, intervalMs } = this.batching;
		const batch = Math.floor(this.itemCount / size);
		this.itemCount++;
		if (batch > this.lastBatch) {
			this.lastBatch = batch;
			const startTime = this.startedAt + batch * intervalMs;
			this.lastStart = this.lastStart.then(async () => {
				const waitMs = startTime - performance.now();
				if (waitMs > 0) await pause(waitMs, stopSignal);
			});
		}
		await this.lastStart;
	}
}
