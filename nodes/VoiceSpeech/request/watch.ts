import { maybeDebited, nothingDebited } from '../errors/callError';
import { answerOverdue, answerStalled, openingStalled, uploadStalled } from '../errors/overdue';
import { cancelled } from '../errors/unsent';
import { abortReason, pause } from './pause';

/** How long an upload or an answer that has begun may stand still, in seconds (contract, money 6). */
const defaultStallSeconds = 120;

/** `opening`: the recording is fetched and looked at; nothing has gone to the service yet. */
type Phase = 'opening' | 'upload' | 'waiting' | 'answer';

/** How long a call may take, in seconds. */
export interface Patience {
	/** From the end of the upload to the beginning of the answer; 0 waits without limit. */
	answer: number;
	/** Without a byte moving. */
	stall?: number;
}

/**
 * Watches over one call: ends it when it stands still, when the answer does not begin, and when the execution is
 * cancelled. n8n's client has a limit for upload and answer together, or none.
 */
export class CallWatch {
	private readonly overdue = new AbortController();

	private readonly over = new AbortController();

	private readonly stallSeconds: number;

	private phase: Phase = 'waiting';

	private since = Date.now();

	private finished = false;

	/** Ends the present pause: a phase with another limit has begun, or the call is over. */
	private changed = new AbortController();

	/** Aborts when the call is to end, and at the latest when it is over. */
	readonly signal: AbortSignal;

	/** @param cancel n8n's signal that the execution was cancelled */
	constructor(
		private readonly patience: Patience,
		private readonly cancel: AbortSignal | undefined,
	) {
		this.stallSeconds = patience.stall ?? defaultStallSeconds;
		const ends = [this.overdue.signal, this.over.signal];
		this.signal = AbortSignal.any(cancel ? [cancel, ...ends] : ends);
		void this.run();
	}

	/** Why the call was ended, where it was ended from here. */
	get reason(): Error | undefined {
		if (this.cancel?.aborted === true) {
			return cancelled(this.phase === 'opening' ? nothingDebited : maybeDebited);
		}
		return this.overdue.signal.aborted ? this.describe() : undefined;
	}

	/** The recording is about to be opened. */
	opening(): void {
		this.enter('opening');
	}

	/** The call begins, or a byte of the recording was handed over. */
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

	/**
	 * The call is over. What is still under way of it ends: n8n's client holds the connection of an answer that is
	 * closed before its end until its next byte comes.
	 */
	end(): void {
		this.finished = true;
		this.changed.abort(abortReason);
		this.over.abort(abortReason);
	}

	private enter(phase: Phase): void {
		// An answer that comes before all was sent is the last phase all the same.
		if (this.phase === 'answer' && phase !== 'answer') return;
		this.since = Date.now();
		if (this.phase === phase) return;
		this.phase = phase;
		this.changed.abort(abortReason);
	}

	/** In milliseconds. */
	private get allowed(): number {
		if (this.phase !== 'waiting') return this.stallSeconds * 1000;
		return this.patience.answer > 0 ? this.patience.answer * 1000 : Infinity;
	}

	private async run(): Promise<void> {
		while (!this.finished) {
			const left = this.since + this.allowed - Date.now();
			if (left <= 0) {
				this.overdue.abort(abortReason);
				return;
			}
			this.changed = new AbortController();
			await pause(left, this.changed.signal);
		}
	}

	private describe(): Error {
		switch (this.phase) {
			case 'opening':
				return openingStalled(this.stallSeconds);
			case 'upload':
				return uploadStalled(this.stallSeconds);
			case 'waiting':
				return answerOverdue(this.patience.answer);
			case 'answer':
				return answerStalled(this.stallSeconds);
		}
	}
}
