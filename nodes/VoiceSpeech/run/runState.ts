import { plainConsoleLabel } from '../../../credentials/checkedCredential';
import { RateLimitBackoff } from '../call/backoff';
import { isSameRequest, type Fingerprint } from '../call/fingerprint';
import type { CallOutput } from '../call/makeCall';
import type { CallOptions } from '../descriptions/options';
import { isLowerDebit, type DebitStatus } from '../debit';

/** The result of a call, and the options by which its output item is made. */
export interface CallResult {
	output: CallOutput;
	options: CallOptions;
}

/** What is known about the debit of an item, over all requests that were made for it. */
export interface DebitRecord {
	debit: DebitStatus;
	/** How messages refer to the console that shows the debit. */
	consoleLabel: string;
}

/** The record of an item for which no request was made. */
export const notSentRecord: DebitRecord = { debit: 'notSent', consoleLabel: plainConsoleLabel };

interface CachedResult {
	/** The fingerprint of its request. */
	fingerprint: Fingerprint;
	result: CallResult;
}

/**
 * What the tries of one node run share. With Retry On Fail, n8n runs the node again, and an item that succeeded must not
 * be sent again.
 */
export class RunState {
	readonly backoff = new RateLimitBackoff();
	private readonly debitRecords = new Map<number, DebitRecord>();
	private readonly cachedResults = new Map<number, CachedResult>();

	/** @param earlierDebit of requests that may have been made for the same items before this state existed */
	constructor(private readonly earlierDebit = notSentRecord) {}

	/** What is known about the debit of an item, over all tries. */
	getDebitRecord(index: number): DebitRecord {
		return this.debitRecords.get(index) ?? this.earlierDebit;
	}

	/**
	 * Records the debit status of an item, unless a higher one is recorded already: a later try does not undo the debit of
	 * an earlier one.
	 *
	 * @param consoleLabel how messages refer to the console that shows the debit; kept for later tries, which may fail before
	 * they have read the credential again
	 */
	recordDebit(index: number, debit: DebitStatus, consoleLabel: string): void {
		if (isLowerDebit(debit, this.getDebitRecord(index).debit)) return;
		this.debitRecords.set(index, { debit, consoleLabel });
	}

	cacheResult(index: number, fingerprint: Fingerprint, result: CallResult): void {
		this.cachedResults.set(index, { fingerprint, result });
	}

	/**
	 * The result of an item's last successful call, regardless of its request; undefined if there was none. It was paid for,
	 * so it is used even where its request cannot be compared with a new one.
	 */
	getCachedResult(index: number): CallResult | undefined {
		return this.cachedResults.get(index)?.result;
	}

	/** The result of an item's last successful call, if its request was the same; otherwise undefined. */
	findResultOfSameRequest(index: number, fingerprint: Fingerprint): CallResult | undefined {
		const cached = this.cachedResults.get(index);
		if (cached === undefined) return undefined;
		return isSameRequest(cached.fingerprint, fingerprint) ? cached.result : undefined;
	}
}
