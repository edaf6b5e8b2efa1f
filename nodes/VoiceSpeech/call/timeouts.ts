import type { CallError } from '../errors/callError';
import { canceledError } from '../errors/notSent';
import { timeoutErrors } from '../errors/timeoutError';
import { openingStallSeconds, responseStallSeconds, uploadStallSeconds } from '../limits';
import { abortReason, pause } from './pause';

type Phase = keyof typeof timeoutErrors;

const phases = Object.keys(timeoutErrors) as Phase[];

/** In seconds; 0 means no limit. `responseStart`: from the end of the upload to the response. Otherwise: without a byte. */
export type TimeoutLimits = Partial<Record<Phase, number>>;

const defaultLimits: TimeoutLimits = {
	opening: openingStallSeconds,
	upload: uploadStallSeconds,
	response: responseStallSeconds,
};

/**
 * Stops a call that stalls, whose response does not begin in time, or whose execution is canceled. n8n's client has
 * only one limit for upload and response together.
 */
export class CallTimeouts {
	private readonly stop = new AbortController();
	/** Ends the current wait when a phase with another limit begins. */
	private phaseChange = new AbortController();
	private phase: Phase = 'opening';
	private lastByteAt = Date.now();
	private hasResponse = false;
	private expiry: CallError | undefined;
	/** Aborts when the call must stop, and at the latest when it has finished. */
	readonly signal: AbortSignal;
	private readonly limits: TimeoutLimits;

	/** @param cancelSignal n8n's signal that the execution was canceled */
	constructor(
		limits: TimeoutLimits,
		private readonly cancelSignal: AbortSignal | undefined,
	) {
		this.limits = { ...defaultLimits, ...limits };
		const signals = [this.stop.signal];
		if (cancelSignal !== undefined) signals.push(cancelSignal);
		this.signal = AbortSignal.any(signals);
		void this.watch();
	}

	/** Why the call was stopped, if it was stopped by this class. */
	get reason(): CallError | undefined {
		return this.cancelSignal?.aborted === true ? canceledError() : this.expiry;
	}

	/** More bytes of the audio are waited for. Without effect once the upload has begun. */
	readonly onAudioRead = (): void => this.touch('opening');
	/** The request starts, or bytes of it were handed over. */
	readonly onUploadProgress = (): void => this.touch('upload');
	/** The entire request was handed over. */
	readonly onUploadEnd = (): void => this.touch(this.hasResponse ? 'response' : 'responseStart');
	/** The headers of the response arrived, or more bytes of it are waited for. */
	readonly onResponseProgress = (): void => {
		this.hasResponse = true;
		// Ends the storing.
		this.lastByteAt = 0;
		// A service may respond early and go on reading: the limit of the upload applies until it ends.
		this.touch(this.phase === 'upload' ? 'upload' : 'response');
	};
	/** n8n stores the response: until the next {@link onResponseProgress}, nothing is waited for from the service. */
	readonly onStoreStart = (): void => {
		this.lastByteAt = Infinity;
	};
	/** The call has finished: everything that is still open for it is aborted. */
	readonly finish = (): void => {
		this.stop.abort(abortReason);
		this.phaseChange.abort(abortReason);
	};

	private touch(phase: Phase): void {
		// Never back: audio is read during the upload too.
		if (phases.indexOf(phase) < phases.indexOf(this.phase)) return;
		// The upload may go on during the storing.
		this.lastByteAt = Math.max(this.lastByteAt, Date.now());
		if (this.phase === phase) return;
		this.phase = phase;
		this.phaseChange.abort(abortReason);
	}

	private async watch(): Promise<void> {
		while (!this.stop.signal.aborted) {
			const seconds = this.limits[this.phase] ?? 0;
			const now = Date.now();
			const leftMs = Math.min(this.lastByteAt, now) + (seconds || Infinity) * 1000 - now;
			if (leftMs <= 0) {
				this.expiry = timeoutErrors[this.phase](seconds);
				this.finish();
				return;
			}
			this.phaseChange = new AbortController();
			await pause(leftMs, this.phaseChange.signal);
		}
	}
}
