import type { Admission } from '../call/admission';
import { chooseAudio, createFailure, type LocalItem } from '../call/item';
import { readConnectionOptions, readLocalOptions } from '../call/readOptions';
import { CallTimeouts } from '../call/timeouts';
import type { LocalOutput } from '../descriptions/operation';
import { toError } from '../errors/bases';
import { rejectOnAbort } from '../streams/waiting';
import {
	type CallResult,
	createCanceledOutcome,
	type ItemOutcome,
	type RunState,
} from './runState';

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
