import type { CallError } from '../errors/callError';
import { canceled } from '../errors/notSent';
import {
	openingStalled,
	responseOverdue,
	responseStalled,
	uploadStalled,
} from '../errors/timeoutError';
import { openingStallSeconds, responseStallSeconds, uploadStallSeconds } from '../limits';
import { abortReason, pause } from './pause';

/** What a call does, in this order. Until `upload` nothing was sent. */
const phases = ['opening', 'upload', 'waiting', 'response'] as const;
type Phase = (typeof phases)[number];

/** Limits of one call, in seconds. */
export interface TimeoutLimits {
	/** From the end of the upload to the start of the response; 0 means no limit. */
	waiting: number;
	/** Without a byte, in each of the other phases. */
	opening?: number;
	upload?: number;
	response?: number;
}

/**
 * Stops a call that stalls, whose response does not begin in time, or whose execution is cancelled. n8n's client
 * has only one limit for upload and response together.
 */
export class CallTimeouts {
	private readonly expiry = new AbortController();

	private readonly finish = new AbortController();

	private readonly limits: Required<TimeoutLimits>;

	private phase: Phase = 'opening';

	private since = Date.now();

	/** Aborts the current wait when a phase with another limit begins. */
	private phaseChange = new AbortController();

	/** Aborts when the call must stop, and at the latest when it has finished. */
	readonly signal: AbortSignal;

	/** @param cancel n8n's signal that the execution was cancelled */
	constructor(
		limits: TimeoutLimits,
		private readonly cancel: AbortSignal | undefined,
	) {
		this.limits = {
			opening: openingStallSeconds,
			upload: uploadStallSeconds,
			response: responseStallSeconds,
			...limits,
		};
		const ends = [this.expiry.signal, this.finish.signal];
		this.signal = AbortSignal.any(cancel ? [cancel, ...ends] : ends);
		void this.run();
	}

	/** Why the call was stopped, if it was stopped from here. */
	get reason(): CallError | undefined {
		if (this.cancel?.aborted === true) return canceled();
		return this.expiry.signal.aborted ? this.describe() : undefined;
	}

	/** Bytes of the audio arrived before the upload. */
	readonly opened = (): void => this.touch('opening');

	/** The request starts, or bytes of it were handed over. */
	readonly uploading = (): void => this.touch('upload');

	/** The entire request was handed over. */
	readonly uploaded = (): void => this.touch('waiting');

	/** Headers or bytes of the response arrived. */
	readonly received = (): void => this.touch('response');

	/** The call has finished: everything that is still open for it is aborted. */
	end(): void {
		this.finish.abort(abortReason);
		this.phaseChange.abort(abortReason);
	}

	private touch(phase: Phase): void {
		// Never back: a response may begin before the upload has ended, and audio is read during the upload too.
		if (phases.indexOf(phase) < phases.indexOf(this.phase)) return;
		this.since = Date.now();
		if (this.phase === phase) return;
		this.phase = phase;
		this.phaseChange.abort(abortReason);
	}

	private get limitMs(): number {
		const seconds = this.limits[this.phase];
		return this.phase === 'waiting' && seconds === 0 ? Infinity : seconds * 1000;
	}

	private async run(): Promise<void> {
		while (!this.finish.signal.aborted) {
			const left = this.since + this.limitMs - Date.now();
			if (left <= 0) {
				this.expiry.abort(abortReason);
				return;
			}
			this.phaseChange = new AbortController();
			await pause(left, this.phaseChange.signal);
		}
	}

	private describe(): CallError {
		const describe = {
			opening: openingStalled,
			upload: uploadStalled,
			waiting: responseOverdue,
			response: responseStalled,
		};
		return describe[this.phase](this.limits[this.phase]);
	}
}
