import type { UserError } from 'n8n-workflow';

import { CanceledError } from '../errors/bases';
import { type CallLimit, type CallPhase, createTimeoutError } from '../errors/networkError';
import { openingStallSeconds, responseStallSeconds, uploadStallSeconds } from '../limits';
import { abortReason, pause } from '../streams/waiting';

const phasesInOrder: CallPhase[] = ['opening', 'upload', 'responseStart', 'response'];

/**
 * The limits in seconds; 0 means no limit. `responseStart` limits the time from the end of the upload to the response, and
 * so does `timeout`, which replaces it. The others limit the time without a byte.
 */
export type TimeoutLimits = Partial<Record<CallLimit, number>>;

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
	private phase: CallPhase = 'opening';
	/** A time of `performance.now()`, in ms. */
	private lastByteAt = performance.now();
	private hasResponse = false;
	private responseWait: number | undefined;
	/** n8n stores the response. Meanwhile, nothing is expected of the service. */
	private isStoring = false;
	private expiry: UserError | undefined;
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

	/** Why the call must stop: a cancellation, or a limit that has expired; undefined without either. */
	get reason(): UserError | undefined {
		return this.cancelSignal?.aborted === true ? new CanceledError() : this.expiry;
	}

	/** Whether a limit has expired, and the execution is not canceled. */
	get hasExpired(): boolean {
		return this.expiry !== undefined && this.cancelSignal?.aborted !== true;
	}

	/** Seconds from the end of the upload to the response; undefined without a response, or if it came during the upload. */
	get responseWaitSeconds(): number | undefined {
		return this.responseWait;
	}

	/** The audio is about to be read further. Without effect once the upload has begun. */
	readonly onAudioRead = (): void => this.touch('opening');
	/** The upload starts, or bytes of it were handed over. */
	readonly onUploadProgress = (): void => this.touch('upload');
	/** The entire request was handed over. That takes no time for a request without audio. */
	readonly onUploadEnd = (): void => this.touch(this.hasResponse ? 'response' : 'responseStart');
	/** The headers of the response arrived, or its body is about to be read further. */
	readonly onResponseProgress = (): void => {
		if (this.phase === 'responseStart') {
			this.responseWait = (performance.now() - this.lastByteAt) / 1000;
		}
		this.hasResponse = true;
		this.isStoring = false;
		// A service may respond early and go on reading, so the limit of the upload applies until it ends.
		this.touch(this.phase === 'upload' ? 'upload' : 'response');
	};
	/** n8n stores what has arrived of the response, until the next {@link onResponseProgress}. */
	readonly onStoreStart = (): void => {
		this.isStoring = true;
	};
	/** The call has finished. Everything that is still open for it is aborted. */
	readonly finish = (): void => {
		this.stop.abort(abortReason);
		this.phaseChange.abort(abortReason);
	};

	/** Restarts the time of the current phase, or enters a later one. An earlier phase is ignored. */
	private touch(phase: CallPhase): void {
		// Audio is also read during the upload, which must not return to the phase before it.
		if (phasesInOrder.indexOf(phase) < phasesInOrder.indexOf(this.phase)) return;
		this.lastByteAt = performance.now();
		if (this.phase === phase) return;
		this.phase = phase;
		this.phaseChange.abort(abortReason);
	}

	private get currentLimit(): CallLimit {
		const hasTimeout = this.limits.timeout !== undefined && this.limits.timeout > 0;
		return this.phase === 'responseStart' && hasTimeout ? 'timeout' : this.phase;
	}

	/** Stops the call once the limit of the current phase has expired. Ends when the call has finished. */
	private async watch(): Promise<void> {
		while (!this.stop.signal.aborted) {
			const limit = this.currentLimit;
			const seconds = this.limits[limit] ?? 0;
			const limitMs = seconds === 0 ? Infinity : seconds * 1000;
			const now = performance.now();
			const stalledMs = this.isStoring ? 0 : now - this.lastByteAt;
			const leftMs = limitMs - stalledMs;
			if (leftMs <= 0) {
				this.expiry = createTimeoutError(limit, seconds);
				this.finish();
				return;
			}
			this.phaseChange = new AbortController();
			await pause(leftMs, this.phaseChange.signal);
		}
	}
}
