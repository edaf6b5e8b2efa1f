import type { StartBlock } from '../call/admission';
import { createFailure, type ItemFailure } from '../call/itemFailure';
import { CanceledError } from '../errors/blockedError';
import type { CallResult, RunState } from './runState';

/** Why the call of an item does not start in this try. A back-off is not a reason, because the call starts after it. */
export type BlockReason = Exclude<StartBlock['kind'], 'backoff'>;

export type ItemOutcome =
	/** `isFromEarlierTry` if an earlier try of Retry On Fail made the call. */
	| { kind: 'succeeded'; result: CallResult; isFromEarlierTry: boolean }
	/** Its check or its call failed. */
	| { kind: 'failed'; failure: ItemFailure }
	/** It was not sent, or not sent again. */
	| { kind: 'blocked'; reason: BlockReason; failure: ItemFailure };

/** The outcome of an item that is not sent in this try, if an earlier try paid for its call; otherwise undefined. */
export function findCachedOutcome(index: number, state: RunState): ItemOutcome | undefined {
	const result = state.getCachedResult(index);
	return result && { kind: 'succeeded', result, isFromEarlierTry: true };
}

/** The outcome of an item whose check did not end in this try, because the execution was canceled. */
export function createCanceledOutcome(index: number, state: RunState): ItemOutcome {
	const failure = createFailure(index, new CanceledError());
	return findCachedOutcome(index, state) ?? { kind: 'blocked', reason: 'canceled', failure };
}
