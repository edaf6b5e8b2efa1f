import { type CheckedCredential, plainConsoleLabel } from '../../../credentials/checkedCredential';
import type { StartBlock } from '../call/admission';
import { RateLimitBackoff } from '../call/backoff';
import { createFailure, type ItemFailure } from '../call/item';
import type { CallOutput } from '../call/makeCall';
import { type Fingerprint, isSameRequest } from '../call/request';
import type { CallOptions } from '../descriptions/options';
import { CanceledError } from '../errors/bases';
import { type DebitStatus, isLowerDebit } from '../service/statusMeaning';

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

/** Why the call of an item does not start in this try. A back-off is not a reason, because the call starts after it. */
export type BlockReason = Exclude<StartBlock['kind'], 'backoff'>;

export type ItemOutcome =
	/**
	 * `isFromEarlierTry` if an earlier try of Retry On Fail made the call. An operation of the node itself may have
	 * `moreResults`.
	 */
	| {
			kind: 'succeeded';
			result: CallResult;
			moreResults?: CallResult[];
			isFromEarlierTry: boolean;
	  }
	/** Its check or its call failed. */
	| { kind: 'failed'; failure: ItemFailure }
	/** It was not sent, or not sent again. */
	| { kind: 'blocked'; reason: BlockReason; failure: ItemFailure };

/** A request whose complete response arrived, and the outcome of its item. It was paid for, so it is not sent again. */
interface PaidRequest {
	fingerprint: Fingerprint;
	outcome: ItemOutcome;
}

/**
 * What the tries of one node run share. With Retry On Fail, n8n runs the node again, and a request whose complete response
 * arrived must not be sent again.
 */
export class RunState {
	readonly backoff = new RateLimitBackoff();
	private readonly debitRecords = new Map<number, DebitRecord>();
	/** The requests of each item whose complete response arrived, in their order. */
	private readonly paidRequests = new Map<number, PaidRequest[]>();
	/** Number of calls with a live key in all tries by what is known of their debit, which is all that tells of retries. */
	readonly liveCalls: Record<DebitStatus, number> = {
		notSent: 0,
		refused: 0,
		possible: 0,
		debited: 0,
	};
	/** Whether an earlier try had a result for each item. n8n then wants the same results again. */
	hasAllResults = false;

	/** @param earlierDebit of requests that may have been made for the same items before this state existed */
	constructor(private readonly earlierDebit = notSentRecord) {}

	/** What is known about the debit of an item, over all tries. */
	getDebitRecord(index: number): DebitRecord {
		return this.debitRecords.get(index) ?? this.earlierDebit;
	}

	/**
	 * Records the debit of a call. The debit status of its item stays if a higher one is recorded already: a later call does
	 * not undo the debit of an earlier one.
	 *
	 * @param credential of the call; how messages refer to its console is kept for later tries, which may fail before they
	 * have read the credential again
	 */
	recordDebit(
		index: number,
		debit: DebitStatus,
		{ environment, consoleLabel }: Pick<CheckedCredential, 'environment' | 'consoleLabel'>,
	): void {
		if (environment === 'live') this.liveCalls[debit]++;
		if (isLowerDebit(debit, this.getDebitRecord(index).debit)) return;
		this.debitRecords.set(index, { debit, consoleLabel });
	}

	/** Remembers the outcome of an item whose complete response arrived: a result, or what could not be used or stored. */
	recordPaid(index: number, fingerprint: Fingerprint, outcome: ItemOutcome): void {
		const earlier = this.paidRequests.get(index) ?? [];
		const repeated =
			outcome.kind === 'succeeded' ? { ...outcome, isFromEarlierTry: true } : outcome;
		this.paidRequests.set(index, [...earlier, { fingerprint, outcome: repeated }]);
	}

	/**
	 * The outcome of the last complete response for an item, regardless of its request; undefined if there was none. It was
	 * paid for, so it is used even where its request cannot be compared with a new one.
	 */
	getLastPaid(index: number): ItemOutcome | undefined {
		return this.paidRequests.get(index)?.at(-1)?.outcome;
	}

	/** The outcome of the complete response to the same request for an item; undefined if there was none. */
	findPaid(index: number, fingerprint: Fingerprint): ItemOutcome | undefined {
		const requests = this.paidRequests.get(index) ?? [];
		return requests.find((paid) => isSameRequest(paid.fingerprint, fingerprint))?.outcome;
	}
}

/** The outcome of an item whose check did not end in this try, because the execution was canceled. */
export function createCanceledOutcome(index: number, state: RunState): ItemOutcome {
	const failure = createFailure(index, new CanceledError());
	return state.getLastPaid(index) ?? { kind: 'blocked', reason: 'canceled', failure };
}
