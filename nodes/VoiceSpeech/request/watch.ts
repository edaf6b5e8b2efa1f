import { answerOverdue, answerStalled, uploadStalled } from '../errors/overdue';
import { pause } from './pause';

/** How long an upload or an answer that has begun may stand still, in seconds (contract, money 6). */
const stallSeconds = 120;

type Phase = 'upload' | 'waiting' | 'answer';

/**
 * Watches over one call: ends it when it stands still, when the answer does not begin, and when the execution is
 * cancelled. n8n's client has a limit for upload and answer together, or none.
 */
export class CallWatch {
	private readonly overdue = new AbortController();

	private readonly ended = new AbortController();

	private phase: Phase = 'waiting';

	private since = Date.now();

	/** Why the call was ended, where it was ended from here. */
	reason: Error | undefined;

	/** Aborts when the call is to end. */
	readonly signal: AbortSignal;

	/**
	 * @param answerSeconds from the end of the upload to the beginning of the answer; 0 waits without limit
	 * @param cancel n8n's signal that the execution was cancelled
	 */
	constructor(
		private readonly answerSeconds: number,
		cancel: AbortSignal | undefined,
	) {
		this.signal = cancel ? AbortSignal.any([cancel, this.overdue.signal]) : this.overdue.signal;
		void this.run();
	}

	/** A byte of the recording was handed over. */
	moved(): void {
		this.enter('upload');
	}

	/** Everything was handed over: the service has its time to work. */
	uploaded(): void {
		this.enter('waiting');
	}

	/** A byte of the answer arrived, or its head. */
	answered(): void {
		this.enter('answer');
	}

	/** The call is over. */
	end(): void {
		this.ended.abort();
	}

	private enter(phase: Phase): void {
		this.phase = phase;
		this.since = Date.now();
	}

	/** In milliseconds. */
	private get allowed(): number {
		if (this.phase !== 'waiting') return stallSeconds * 1000;
		return this.answerSeconds > 0 ? this.answerSeconds * 1000 : Infinity;
	}

	private async run(): Promise<void> {
		while (!this.ended.signal.aborted) {
			const left = this.since + this.allowed - Date.now();
			if (left <= 0) {
				this.reason = this.describe();
				this.overdue.abort(this.reason);
				return;
			}
			// Looked at anew now and then: a phase with a shorter limit may have begun meanwhile.
			await pause(Math.min(left, stallSeconds * 1000), this.ended.signal);
		}
	}

	private describe(): Error {
		if (this.phase === 'upload') return uploadStalled(stallSeconds);
		if (this.phase === 'answer') return answerStalled(stallSeconds);
		return answerOverdue(this.answerSeconds);
	}
}
