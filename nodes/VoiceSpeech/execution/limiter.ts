/** Runs at most `limit` calls at a time, in the order in which they ask. */
export class ConcurrencyLimiter {
	private waiting: Array<(acquired: boolean) => void> = [];

	private next = 0;

	private running = 0;

	/** @param limit how many calls may run at the same time */
	constructor(private readonly limit: number) {}

	/**
	 * Waits for a free slot. A slot must be given back with {@link release}.
	 *
	 * @returns false if {@link cancelWaiting} ended the wait; then the caller has no slot to give back
	 */
	async acquire(): Promise<boolean> {
		if (this.running < this.limit) {
			this.running++;
			return true;
		}
		return await new Promise((resolve) => this.waiting.push(resolve));
	}

	/** Gives a slot back: the next call in line gets it. */
	release(): void {
		const resolve = this.waiting[this.next];
		if (resolve === undefined) {
			this.running--;
			return;
		}
		this.next++;
		// Not `shift()` each time: it moves the entire list.
		if (this.next > 1000) {
			this.waiting = this.waiting.slice(this.next);
			this.next = 0;
		}
		resolve(true);
	}

	/** Ends the wait of every call that has no slot yet. */
	cancelWaiting(): void {
		const waiting = this.waiting.slice(this.next);
		this.waiting = [];
		this.next = 0;
		waiting.forEach((resolve) => resolve(false));
	}
}
