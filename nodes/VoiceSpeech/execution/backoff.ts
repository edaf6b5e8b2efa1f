import { pause } from './pause';

/** Holds back all calls of a run while the service has asked one of them to wait. */
export class RateLimitBackoff {
	private until = 0;

	/** One timer for all: a listener per call would be too many on one signal. */
	private waiting: Promise<void> | undefined;

	/** Whether no call may start now. */
	get inEffect(): boolean {
		return Date.now() < this.until;
	}

	/** Starts a back-off of this many seconds from now; a longer one in effect stays. */
	begin(seconds: number): void {
		this.until = Math.max(this.until, Date.now() + seconds * 1000);
	}

	/** Resolves when no back-off is in effect, or `ended` aborts. */
	async over(ended: AbortSignal): Promise<void> {
		while (!ended.aborted && this.inEffect) {
			this.waiting ??= pause(this.until - Date.now(), ended).finally(() => {
				this.waiting = undefined;
			});
			await this.waiting;
		}
	}
}
