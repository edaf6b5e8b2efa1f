import { pause } from './pause';

/** Holds all calls of a run back while the service has asked one of them to wait. */
export class Hold {
	private until = 0;

	/** One pause for all: each with its own would be too many listeners on one signal. */
	private waiting: Promise<void> | undefined;

	/** @param ended when it aborts, nobody is held back any more */
	constructor(private readonly ended: AbortSignal) {}

	/** From now on, for so long; a longer hold stays. */
	begin(seconds: number): void {
		this.until = Math.max(this.until, Date.now() + seconds * 1000);
	}

	/** Resolves when it is over. */
	async over(): Promise<void> {
		while (!this.ended.aborted && Date.now() < this.until) {
			this.waiting ??= pause(this.until - Date.now(), this.ended).finally(() => {
				this.waiting = undefined;
			});
			await this.waiting;
		}
	}
}
