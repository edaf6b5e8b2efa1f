import { abortReason } from '../streams/waiting';
import type { RateLimitBackoff } from './backoff';
import type { ItemFailure } from './item';

/** Why a call is blocked. */
export type StartBlock =
	| { kind: 'canceled' }
	/** The node stops on failure, and an item failed. */
	| { kind: 'runFailed'; failure: ItemFailure }
	/** The service refused the same key, or its wallet, in another call. The base URL does not matter. */
	| { kind: 'keyRefused'; failure: ItemFailure }
	/** A back-off is in effect. */
	| { kind: 'backoff' };

/**
 * The only place that decides whether a call may start. A call asks before it opens its audio, and again directly before
 * its request is sent. One object lives for one try of a node run.
 */
export class Admission {
	private readonly stop = new AbortController();
	private readonly refusedKeys = new Map<string, ItemFailure>();
	private readonly stopsByKey = new Map<string, AbortController>();

	private firstFailure: ItemFailure | undefined;

	/**
	 * @param stopsOnFailure whether any failure stops the run; otherwise a refused key or wallet stops only its own items
	 * @param cancelSignal n8n's signal that the execution was canceled
	 */
	constructor(
		private readonly stopsOnFailure: boolean,
		readonly cancelSignal: AbortSignal | undefined,
		readonly backoff: RateLimitBackoff,
	) {}

	/**
	 * Creates a signal for each caller, because Node warns of more than ten listeners on one. A worker uses one for all its
	 * checks, because n8n's signal keeps a weak reference to each signal that depends on it.
	 *
	 * @returns a signal that aborts when the execution is canceled
	 */
	createCancelSignal(): AbortSignal {
		return AbortSignal.any(this.cancelSignal === undefined ? [] : [this.cancelSignal]);
	}

	/**
	 * Creates a signal for each caller, as {@link createCancelSignal}.
	 *
	 * @param apiKey undefined where it is not known yet
	 * @returns a signal that aborts when no further call with this key may start
	 */
	createStopSignal(apiKey?: string): AbortSignal {
		const signals = [this.createCancelSignal(), this.stop.signal];
		if (apiKey !== undefined) signals.push(this.getKeyStop(apiKey).signal);
		return AbortSignal.any(signals);
	}

	/** The failure that stopped the run; undefined if none did. */
	get runFailure(): ItemFailure | undefined {
		return this.firstFailure;
	}

	/** Stops the run after the failure of an item, unless the node continues on failure. */
	reportFailure(failure: ItemFailure): void {
		if (!this.stopsOnFailure) return;
		this.firstFailure ??= failure;
		this.stop.abort(abortReason);
	}

	/** Stops all calls with this key after the failure of an item, because its key or its wallet was refused. */
	reportRefusedKey(apiKey: string, failure: ItemFailure): void {
		this.reportFailure(failure);
		if (this.refusedKeys.has(apiKey)) return;
		this.refusedKeys.set(apiKey, failure);
		this.getKeyStop(apiKey).abort(abortReason);
	}

	private getKeyStop(apiKey: string): AbortController {
		const keyStop = this.stopsByKey.get(apiKey) ?? new AbortController();
		this.stopsByKey.set(apiKey, keyStop);
		return keyStop;
	}

	/** Whether the service refused a key or a wallet. */
	get hasRefusedKey(): boolean {
		return this.refusedKeys.size > 0;
	}

	/** Why no call with this key may start now; undefined if it may. */
	findBlock(apiKey: string): StartBlock | undefined {
		if (this.cancelSignal?.aborted === true) return { kind: 'canceled' };
		if (this.runFailure !== undefined) return { kind: 'runFailed', failure: this.runFailure };
		const failure = this.refusedKeys.get(apiKey);
		if (failure !== undefined) return { kind: 'keyRefused', failure };
		return this.backoff.isInEffect ? { kind: 'backoff' } : undefined;
	}
}
