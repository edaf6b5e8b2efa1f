import type { INodeExecutionData, NodeExecutionHint, OnError } from 'n8n-workflow';

import type { Admission } from '../call/admission';
import { type AnyItem, isLocalItem, type ItemFailure } from '../call/item';
import { optionDefinitions } from '../descriptions/options';
import { UnusableResponseError } from '../errors/responseError';
import { runItems, type RunSettings } from '../run/runItems';
import type { ItemOutcome, RunState } from '../run/runState';
import type { DebitStatus } from '../service/statusMeaning';
import { createNodeError, type FailureDetails } from './errors';
import type { NodeContext, NodeItem } from './nodeItem';
import { createLink, createFailedItem, createResultItem } from './outputItem';

/** The value of a parameter for the first item; undefined if its expression throws, which then fails that item. */
function readForFirstItem(items: AnyItem[], name: string): unknown {
	try {
		return items[0]?.read(name, undefined);
	} catch {
		return undefined;
	}
}

/** The option 'Concurrency' of the first item; its default for an invalid value, which then fails that item. */
function readConcurrency(items: AnyItem[]): number {
	const { concurrency } = optionDefinitions;
	try {
		return concurrency.read(readForFirstItem(items, 'options.concurrency'));
	} catch {
		return concurrency.read(undefined);
	}
}

/** The number of items in a batch. In n8n's description of it, -1 turns Batching off, and 0 means 1. */
function readBatchSize({ batchSize }: { batchSize?: unknown }): number {
	const size = Number(batchSize);
	if (size < 0) return Infinity;
	// An expression may yield something other than a number.
	return size >= 1 ? size : 1;
}

function readSettings(context: NodeContext, items: AnyItem[]): RunSettings {
	// Settings are read by their paths, because the expression of another setting may throw.
	const batch = readForFirstItem(items, 'requestOptions.batching.batch') as
		| { batchSize?: unknown; batchInterval?: unknown }
		| undefined;
	const size = readBatchSize(batch ?? {});
	const intervalMs = Number(batch?.batchInterval);
	const isSpaced = size !== Infinity && intervalMs > 0;
	return {
		concurrency: readConcurrency(items),
		batching: { size, intervalMs: isSpaced ? intervalMs : 0 },
		stopsOnFailure: !context.continueOnFail(),
		cancelSignal: context.getExecutionCancelSignal?.(),
	};
}

/** Hints that n8n shows below the output, about what the items themselves do not show. */
function createHints(
	outcomes: ItemOutcome[],
	{ liveCalls }: RunState,
	isCanceled: boolean,
	onError: OnError | undefined,
): NodeExecutionHint[] {
	if (isCanceled) return [];
	const cached = outcomes.filter(
		(outcome) => outcome.kind === 'succeeded' && outcome.isFromEarlierTry,
	);
	const blockedByRefusal = outcomes.filter(
		(outcome) => outcome.kind === 'blocked' && outcome.reason === 'keyRefused',
	);
	const cutOff = outcomes.filter(
		(outcome) => outcome.kind === 'succeeded' && outcome.result.output.isCutOff === true,
	);
	const unrecognized = outcomes.filter(
		(outcome) => outcome.kind === 'succeeded' && outcome.result.output.hasUnknownFormat,
	);
	const failed = outcomes.filter((outcome) => outcome.kind !== 'succeeded');
	const hints: NodeExecutionHint[] = [];
	// n8n reports a success, and may open the output at the files of the items that failed. It calls the error output 'Error
	// Branch' there.
	if (failed.length > 0) {
		const branch = onError === 'continueErrorOutput' ? " of 'Error Branch'" : '';
		const message = `Items that failed: ${failed.length} of ${outcomes.length}. The tab 'Table'${branch} has the message of each`;
		hints.push({ message, type: 'warning', location: 'outputPane' });
	}
	if (cutOff.length > 0) {
		const message = `Recordings that end before the length in their header: ${cutOff.length} of ${outcomes.length}. Check whether they were still being copied`;
		hints.push({ message, type: 'warning', location: 'outputPane' });
	}
	if (cached.length > 0) {
		const message = `Items that had succeeded in an earlier try and were not sent again: ${cached.length}`;
		hints.push({ message, type: 'info', location: 'outputPane' });
	}
	if (blockedByRefusal.length > 0) {
		const message = `Items that were not sent, or not sent again, because the key or the wallet of another item was refused: ${blockedByRefusal.length}`;
		hints.push({ message, type: 'warning', location: 'outputPane' });
	}
	// Sandbox calls spend nothing, so they need no hint.
	if (liveCalls.debited + liveCalls.possible > 0) {
		const unsure =
			liveCalls.possible === 0 ? '' : `. Calls that it may have paid for: ${liveCalls.possible}`;
		const message = `Calls that the live wallet paid for: ${liveCalls.debited}${unsure}`;
		hints.push({ message, type: 'info', location: 'outputPane' });
	}
	if (unrecognized.length > 0) {
		const message = `Items whose audio has a format that was not recognized: ${unrecognized.length} of ${outcomes.length}. Ask your provider how it is encoded`;
		hints.push({ message, type: 'warning', location: 'outputPane' });
	}
	return hints;
}

/** Counts all items of a node run but one by their debit status. */
function countOtherItems(
	itemCount: number,
	failedIndex: number,
	state: RunState,
): Record<DebitStatus, number> {
	const counts = { notSent: 0, refused: 0, possible: 0, debited: 0 };
	for (let index = 0; index < itemCount; index++) {
		if (index !== failedIndex) counts[state.getDebitRecord(index).debit]++;
	}
	return counts;
}

/** A try of a node run whose items come one by one, so that their calls are made one after the other. */
interface SharedTry {
	admission: Admission;
	/** The number of all items of the node run. */
	itemCount: number;
}

/** The settings of items that RoutingNode hands over one by one. It applies Batching itself. */
const queuedSettings = { concurrency: 1, batching: { size: Infinity, intervalMs: 0 } };

/**
 * Runs the items' operation.
 *
 * @param shared the try that the items belong to; undefined if these are all items
 * @returns an output item for each input item, or several of an operation of the node itself
 * @throws {NodeApiError | NodeOperationError} if the node stops on failure, and an item fails or the execution is canceled
 */
export async function runOperation(
	context: NodeContext,
	items: NodeItem[],
	state: RunState,
	shared?: SharedTry,
): Promise<{ items: INodeExecutionData[]; hints: NodeExecutionHint[] }> {
	const ownSettings = readSettings(context, items);
	const settings = shared ? { ...ownSettings, ...queuedSettings } : ownSettings;
	const runOutcome = await runItems(items, state, settings, shared?.admission);
	const itemCount = shared?.itemCount ?? items.length;
	const node = context.getNode();
	// An expression cannot choose the resource, so all items of a run are local, or none is.
	const isLocal = items.some(isLocalItem);

	function collectDetails({ index }: ItemFailure): FailureDetails {
		return { debitRecord: state.getDebitRecord(index), isOnlyItem: itemCount === 1, isLocal };
	}

	if (runOutcome.kind === 'failed') {
		const { failure } = runOutcome;
		const otherItemCounts = countOtherItems(itemCount, failure.index, state);
		throw await createNodeError(node, failure, { ...collectDetails(failure), otherItemCounts });
	}
	const outputItems: INodeExecutionData[] = [];
	for (const [position, outcome] of runOutcome.outcomes.entries()) {
		const { input } = items[position] as NodeItem;
		if (outcome.kind === 'succeeded') {
			for (const result of [outcome.result, ...(outcome.moreResults ?? [])]) {
				outputItems.push(createResultItem(input, result, createLink(context.helpers, result)));
			}
			continue;
		}
		const details = collectDetails(outcome.failure);
		const error = await createNodeError(node, outcome.failure, details);
		const cause = await outcome.failure.errorPromise;
		const responseFile = cause instanceof UnusableResponseError ? cause.kept.file : undefined;
		const { debit } = details.debitRecord;
		outputItems.push(createFailedItem(node, input, error, debit, responseFile));
	}
	const isCanceled = settings.cancelSignal?.aborted === true;
	return {
		items: outputItems,
		hints: createHints(runOutcome.outcomes, state, isCanceled, node.onError),
	};
}
