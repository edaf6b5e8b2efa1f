import type { Admission, StartBlock } from '../call/admission';
import type { Item } from '../call/item';
import { createFailure, type ItemFailure } from '../call/itemFailure';
import type { PreparedRequest } from '../call/request';
import { makeCall } from '../call/makeCall';
import { computeFingerprint } from '../call/fingerprint';
import { createBlockedError, CanceledError } from '../errors/blockedError';
import type { SuccessfulCall, RunState } from './runState';

export type ItemOutcome =
	/** `isCached` if an earlier try of Retry On Fail made the call. */
	| { kind: 'succeeded'; call: SuccessfulCall; isCached: boolean }
	/** Its check or its call failed. */
	| { kind: 'failed'; failure: ItemFailure }
	/** It was not sent, or not sent again: the run failed, its key was refused in another call, or the user canceled. */
	| { kind: 'blocked'; failure: ItemFailure };

/** Creates the error of an item whose call must not start. */
async function explainBlock(
	block: Extract<StartBlock, { kind: 'canceled' | 'keyRefused' }>,
	wasSent: boolean,
): Promise<Error> {
	if (block.kind === 'canceled') return new CanceledError();
	const { index, errorPromise, request } = block.failure;
	const { message } = await errorPromise;
	const reason = request === undefined ? message : request.credential.maskKey(message);
	return createBlockedError(index, reason, wasSent);
}

/** Makes the call of a checked item, and makes it again after the service refused it before any work. */
export async function callItem(
	item: Item,
	request: PreparedRequest,
	admission: Admission,
	state: RunState,
): Promise<ItemOutcome> {
	const { index } = item;
	const { apiKey, consoleName } = request.credential;
	const stopSignal = admission.createStopSignal(apiKey);
	let retries = 0;
	for (;;) {
		await admission.backoff.waitUntilOver(stopSignal);
		const outcome = await makeCall(item, request, admission, retries);
		if (outcome.kind === 'retryLater') {
			state.recordDebit(index, 'refused', consoleName);
			retries++;
			continue;
		}
		if (outcome.kind === 'succeeded') {
			const call = { output: outcome.output, options: request.options };
			state.recordDebit(index, 'debited', consoleName);
			state.cacheCall(index, computeFingerprint(request), call);
			return { kind: 'succeeded', call, isCached: false };
		}
		if (outcome.kind === 'failed') {
			state.recordDebit(index, outcome.debit, consoleName);
			return { kind: 'failed', failure: outcome.failure };
		}
		const { block } = outcome;
		if (block.kind === 'backoff') continue;
		// The run fails with this failure, so the item needs no error of its own.
		if (block.kind === 'runFailed') return { kind: 'blocked', failure: block.failure };
		const wasSent = state.getDebitRecord(index).debit !== 'notSent';
		const error = await explainBlock(block, wasSent);
		return { kind: 'blocked', failure: createFailure(index, error, request) };
	}
}
