import { RateLimitBackoff } from '../call/backoff';
import { isSameRequest, type Fingerprint } from '../call/fingerprint';
import type { CallOptions } from '../descriptions/options';
import { chooseHigherDebit, notSentRecord, type DebitStatus, type DebitRecord } from '../debit';
import type { CallOutput } from '../response/readResponse';

/** A call that succeeded, and the options by which its output is made. */
export interface SuccessfulCall {
	output: CallOutput;
	options: CallOptions;
}

interface CachedCall {
	/** The fingerprint of its request. */
	fingerprint: Fingerprint;
	call: SuccessfulCall;
}

/**
 * What the tries of one node run share. With Retry On Fail, n8n runs the node again, and an item that succeeded must not
 * be sent again.
 */
export class RunState {
	readonly backoff = new RateLimitBackoff();
	private readonly debitRecords = new Map<number, DebitRecord>();
	private readonly cachedCalls = new Map<number, CachedCall>();

	/** @param earlierDebit of requests that may have been made for the same items before this state existed */
	constructor(private readonly earlierDebit = notSentRecord) {}

	/** What is known of the debit of an item, over all tries. */
	getDebitRecord(index: number): DebitRecord {
		return this.debitRecords.get(index) ?? this.earlierDebit;
	}

	/**
	 * @param consoleName how texts refer to the console that shows the debit; kept for later tries, which may fail before
	 * they have read the credential again
	 */
	recordDebit(index: number, debit: DebitStatus, consoleName: string): void {
		const known = this.getDebitRecord(index);
		this.debitRecords.set(index, chooseHigherDebit(known, { debit, consoleName }));
	}

	cacheCall(index: number, fingerprint: Fingerprint, call: SuccessfulCall): void {
		this.cachedCalls.set(index, { fingerprint, call });
	}

	/** The last successful call of an item, regardless of its request; undefined if there was none. */
	getCachedCall(index: number): SuccessfulCall | undefined {
		return this.cachedCalls.get(index)?.call;
	}

	/** The successful call of an item with the same request; undefined if there was none, or if its request differs. */
	findCallWithSameRequest(index: number, fingerprint: Fingerprint): SuccessfulCall | undefined {
		const cached = this.cachedCalls.get(index);
		if (cached === undefined) return undefined;
		return isSameRequest(cached.fingerprint, fingerprint) ? cached.call : undefined;
	}
}
