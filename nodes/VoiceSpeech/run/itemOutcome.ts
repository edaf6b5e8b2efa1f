import type { StartBlock } from '../call/admission';
import type { Fingerprint } from '../call/fingerprint';
import { createFailure, type ItemFailure } from '../call/itemFailure';
import { CanceledError } from '../errors/blockedError';
import type { CallResult, PaidOutcome, RunState } from './runState';

/** Why the call of an item does not start in this try. A back-off is not a reason, because the call starts after it. */
export type BlockReason = Exclude<StartBlock['kind'], 'backoff'>;

export type ItemOutcome =
	/** `isFromEarlierTry` if an earlier try of Retry On Fail made the call. */
	| { kind: 'succeeded'; result: CallResult; isFromEarlierTry: boolean }
	/** Its check or its call failed. */
	| { kind: 'failed'; failure: ItemFailure }
	/** It was not sent, or not sent again. */
	| { kind: 'blocked'; reason: BlockReason; failure: ItemFailure };

/** The outcome of an item in this try, of a call that an earlier try made. */
function repeatOutcome(paid: PaidOutcome): ItemOutcome {
	return paid.kind === 'succeeded' ? { ...paid, isFromEarlierTry: true } : paid;
}

/** The outcome of an item whose request an earlier try paid for; otherwise undefined. */
export function findOutcomeOfSameRequest(
	index: number,
	fingerprint: Fingerprint,
	state: RunState,
): ItemOutcome | undefined {
	const paid = state.findPaid(index, fingerprint);
	return paid && repeatOutcome(paid);
}

/** The outcome of an item that is not sent in this try, if an earlier try paid for a call of it; otherwise undefined. */
export function findEarlierOutcome(index: number, state: RunState): ItemOutcome | undefined {
	const paid = state.getLastPaid(index);
	return paid && repeatOutcome(paid);
}

/** The outcome of an item whose check did not end in this try, because the execution was canceled. */
export function createCanceledOutcome(index: number, state: RunState): ItemOutcome {
	const failure = createFailure(index, new CanceledError());
	return findEarlierOutcome(index, state) ?? { kind: 'blocked', reason: 'canceled', failure };
}
