import type { CallError } from '../errors/callError';
import { canceledError } from '../errors/notSent';
import { timeoutErrors } from '../errors/timeoutError';
import { openingStallSeconds, responseStallSeconds, uploadStallSeconds } from '../limits';
import { abortReason, pause } from './pause';

type Phase = keyof typeof timeoutErrors;

const phases = Object.keys(timeoutErrors) as Phase[];

/**
 * The limit of each phase in seconds; 0 means no limit. `responseStart` limits the time from the end of the upload to the
 * response, the others limit the time without a byte.
 */
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

	/** The audio is about to be read further. Without effect once the upload has begun. */
	readonly onAudioRead = (): void => this.touch('opening');
	/** The request starts, or bytes of it were handed over. */
	readonly onUploadProgress = (): void => this.touch('upload');
	/** The entire request was handed over. */
	readonly onUploadEnd = (): void => this.touch(this.hasResponse ? 'response' : 'responseStart');
	/** The headers of the response arrived, or its body is about to be read further. */
	readonly onResponseProgress = (): void => {
		this.hasResponse = true;
		// Ends the storing, during which the time of the last byte is Infinity.
		this.lastByteAt = 0;
		// A service may respond early and go on reading, so the limit of the upload applies until it ends.
		this.touch(this.phase === 'upload' ? 'upload' : 'response');
	};
	/** n8n stores the response. Until the next {@link onResponseProgress}, nothing is expected of the service. */
	readonly onStoreStart = (): void => {
		this.lastByteAt = Infinity;
	};
	/** The call has finished. Everything that is still open for it is aborted. */
	readonly finish = (): void => {
		this.stop.abort(abortReason);
		this.phaseChange.abort(abortReason);
	};

	private touch(phase: Phase): void {
		// Audio is also read during the upload, which must not return to the phase before it.
		if (phases.indexOf(phase) < phases.indexOf(this.phase)) return;
		// Infinity stays while a response is stored, although the upload continues.
		this.lastByteAt = Math.max(this.lastByteAt, Date.now());
		if (this.phase === phase) return;
		this.phase = phase;
		this.phaseChange.abort(abortReason);
	}

	private async watch(): Promise<void> {
		while (!this.stop.signal.aborted) {
			const seconds = this.limits[this.phase] ?? 0;
			const limitMs = seconds === 0 ? Infinity : seconds * 1000;
			const now = Date.now();
			const leftMs = Math.min(this.lastByteAt, now) + limitMs - now;
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
