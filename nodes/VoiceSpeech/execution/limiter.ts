/** Runs at most `limit` calls at a time, in the order in which they ask. */
export class ConcurrencyLimiter {
	private waiting: Array<(acquired: boolean) => void> = [];

	/** Index of the first in `waiting` that still waits. Not `shift()`, which moves the entire list each time. */
	private next = 0;

	private running = 0;

	/** @param limit how many calls may run at the same time, at least 1; a fraction is ignored */
	constructor(private readonly limit: number) {}

	/**
	 * Waits for a free slot. A slot must be given back with {@link release}.
	 *
	 * @returns false if {@link cancelWaiting} ended the wait; then the caller has no slot to give back
	 */
	async acquire(): Promise<boolean> {
		if (this.running + 1 <= this.limit) {
			this.running++;
			return true;
		}
		return await new Promise((resolve) => this.waiting.push(resolve));
	}

	/** Gives a slot back: the next call that waits gets it. */
	release(): void {
		const resolve = this.waiting[this.next];
		if (resolve === undefined) {
			this.running--;
			return;
		}
		this.next++;
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
