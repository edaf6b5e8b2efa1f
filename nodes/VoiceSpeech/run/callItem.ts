import type { Admission, StartBlock } from '../call/admission';
import {
	chooseAudio,
	createFailure,
	type Item,
	type ItemFailure,
	type LocalItem,
} from '../call/item';
import { makeCall } from '../call/makeCall';
import { readConnectionOptions, readLocalOptions } from '../call/readOptions';
import { type Fingerprint, getFileName, type PreparedRequest } from '../call/request';
import { CallTimeouts } from '../call/timeouts';
import type { LocalOutput } from '../descriptions/operation';
import { CanceledError, toError } from '../errors/bases';
import { createRefusedKeyError } from '../errors/httpError';
import { rejectOnAbort } from '../streams/waiting';
import {
	type BlockReason,
	type CallResult,
	createCanceledOutcome,
	type ItemOutcome,
	type RunState,
} from './runState';

/** The request of an item that passed its check. */
export interface ReadyRequest {
	kind: 'ready';
	request: PreparedRequest;
	fingerprint: Fingerprint;
}

/** The error of an item whose key was refused in another call. It quotes the error of that call. */
async function explainRefusedKey(
	{ index, errorPromise, request }: ItemFailure,
	blocked: { fileName: string; wasSent: boolean },
): Promise<Error> {
	const { message } = await errorPromise;
	const reason = request === undefined ? message : request.credential.maskKey(message);
	return createRefusedKeyError(index, reason, blocked);
}

/** The outcome of an item whose call must not start. */
async function createBlockedOutcome(
	index: number,
	request: PreparedRequest,
	block: StartBlock & { kind: BlockReason },
	state: RunState,
): Promise<ItemOutcome> {
	const { kind: reason } = block;
	// The run fails with this failure, so the item needs no error of its own.
	if (reason === 'runFailed') return { kind: 'blocked', reason, failure: block.failure };
	// An earlier try paid for another request of this item.
	const earlier = state.getLastPaid(index);
	if (earlier !== undefined) return earlier;
	const blocked = {
		fileName: getFileName(request),
		wasSent: state.getDebitRecord(index).debit !== 'notSent',
	};
	const error =
		reason === 'canceled' ? new CanceledError() : await explainRefusedKey(block.failure, blocked);
	return { kind: 'blocked', reason, failure: createFailure(index, error, request) };
}

/** Makes the call of an item, and makes it again after the service refused it before any work. */
export async function callItem(
	item: Item,
	{ request, fingerprint }: ReadyRequest,
	admission: Admission,
	state: RunState,
): Promise<ItemOutcome> {
	const { index } = item;
	const { credential } = request;
	const stopSignal = admission.createStopSignal(credential.apiKey);
	let retries = 0;
	for (;;) {
		await admission.backoff.waitUntilOver(stopSignal);
		const outcome = await makeCall(item, request, admission, retries);
		if (outcome.kind !== 'blocked') state.recordDebit(index, outcome.debit, credential);
		switch (outcome.kind) {
			case 'succeeded': {
				const result = { output: outcome.output, options: request.options };
				const succeeded: ItemOutcome = { kind: 'succeeded', result, isFromEarlierTry: false };
				state.recordPaid(index, fingerprint, succeeded);
				return succeeded;
			}
			case 'failed': {
				const failed: ItemOutcome = { kind: 'failed', failure: outcome.failure };
				if (outcome.debit === 'debited') state.recordPaid(index, fingerprint, failed);
				return failed;
			}
			case 'retryLater':
				retries++;
				break;
			case 'blocked':
				// The next iteration waits until the back-off is over.
				if (outcome.block.kind === 'backoff') break;
				return await createBlockedOutcome(index, request, outcome.block, state);
		}
	}
}

/** @throws {UserError} for parameters that it cannot use, and as the operation */
async function run(
	item: LocalItem,
	signal: AbortSignal,
	onAudioRead: () => void,
): Promise<[CallResult, ...CallResult[]]> {
	const { operation, read, store } = item;
	const options = readLocalOptions(read('options', {}), operation);
	const connection = readConnectionOptions(read('requestOptions', {}), undefined);
	const audio = chooseAudio(item, connection);
	const toResult = (output: LocalOutput): CallResult => ({
		output: { ...output, sampleWarnings: [], audioName: '', responseInfo: undefined },
		options,
	});
	const input = { read, options, audio, signal, onAudioRead, store };
	const [first, ...others] = await operation.run(input);
	return [toResult(first), ...others.map(toResult)];
}

/** Carries out the operation of an item in the node itself. Does not reject. */
export async function runLocally(
	item: LocalItem,
	admission: Admission,
	state: RunState,
): Promise<ItemOutcome> {
	const cancelSignal = admission.createCancelSignal();
	// Only reading is limited, because nothing is sent.
	const timeouts = new CallTimeouts({}, cancelSignal);
	const signal = AbortSignal.any([timeouts.signal, admission.createStopSignal()]);
	try {
		const running = run(item, signal, timeouts.onAudioRead);
		const [result, ...moreResults] = await rejectOnAbort(running, signal);
		return { kind: 'succeeded', result, moreResults, isFromEarlierTry: false };
	} catch (error) {
		if (cancelSignal.aborted) return createCanceledOutcome(item.index, state);
		const failure = createFailure(item.index, timeouts.reason ?? toError(error));
		admission.reportFailure(failure);
		return { kind: 'failed', failure };
	} finally {
		timeouts.finish();
	}
}
