/** Runs a limited number of calls at a time, in the order in which they ask. */
export class ConcurrencyLimiter {
	private readonly waiting: Array<(acquired: boolean) => void> = [];

	/** Index of the first in `waiting` that still waits. Not `shift()`, which moves the entire list each time. */
	private next = 0;

	/** @param free how many calls may run at the same time, at least 1; rounded down */
	constructor(private free: number) {}

	/** Waits for a slot, which {@link release} must give back. False if {@link cancelWaiting} ended the wait. */
	async acquire(): Promise<boolean> {
		if (this.free < 1) return await new Promise((resolve) => this.waiting.push(resolve));
		this.free--;
		return true;
	}

	/** Gives a slot back: the next call that waits gets it. */
	release(): void {
		const resolve = this.waiting[this.next];
		if (resolve) {
			this.next++;
			resolve(true);
		} else {
			this.free++;
		}
	}

	/** Ends the wait of every call that has no slot yet. */
	cancelWaiting(): void {
		this.waiting.splice(this.next).forEach((resolve) => resolve(false));
	}
}
