import { Admission, createFailure, type ItemFailure, type StartBlock } from '../call/admission';
import type { Item, PreparedRequest } from '../call/item';
import { makeCall } from '../call/makeCall';
import { checkAudio } from '../call/openBody';
import { EventLoopYield, rejectOnAbort, pause } from '../call/pause';
import { computeFingerprint, prepareRequest } from '../call/prepareRequest';
import { CallTimeouts } from '../call/timeouts';
import { createCanceledError, createBlockedError } from '../errors/stopError';
import type { CompletedCall, RunState } from './runState';

/** Settings of a node run. */
export interface RunSettings {
	/** Maximum number of calls in progress, at least 1. */
	concurrency: number;
	/** Settings of n8n's Batching. `size` items start together, and a batch starts every `intervalMs`. */
	batching: { size: number; intervalMs: number };
	/** Any failure stops the run, and n8n discards the results. */
	stopsOnFailure: boolean;
	/** n8n's signal that the execution was canceled. */
	cancelSignal: AbortSignal | undefined;
}

/** Outcome of an item. */
export type ItemOutcome =
	| { kind: 'succeeded'; call: CompletedCall; isFromEarlierTry: boolean }
	/** Its check or its call failed. */
	| { kind: 'failed'; failure: ItemFailure }
	/** It was not sent, or not sent again, because its key was refused for another item, or the execution was canceled. */
	| { kind: 'blocked'; failure: ItemFailure };

/** Outcome of a node run. It has one outcome for each item, in input order, or the failure that stopped the run. */
export type RunOutcome =
	| { kind: 'completed'; outcomes: ItemOutcome[] }
	| { kind: 'failed'; failure: ItemFailure };

/** Result of checking an item. */
type CheckedItem =
	| { kind: 'ready'; request: PreparedRequest }
	/** An earlier try completed the same request. */
	| { kind: 'cached'; call: CompletedCall }
	| { kind: 'failed'; error: unknown }
	/** The execution was canceled before the check ended. */
	| { kind: 'canceled' };

/** Prepares the request of an item, unless an earlier try has completed the same request. Does not reject. */
async function checkParameters(item: Item, state: RunState): Promise<CheckedItem> {
	let request: PreparedRequest;
	try {
		request = await prepareRequest(item);
	} catch (error) {
		// The earlier call was paid for, so its result is used, although it cannot be compared with this request.
		const call = state.getLastCall(item.index);
		return call === undefined ? { kind: 'failed', error } : { kind: 'cached', call };
	}
	const call = state.findCachedCall(item.index, computeFingerprint(request));
	return call === undefined ? { kind: 'ready', request } : { kind: 'cached', call };
}

/** Checks the audio of a request, without sending anything. Does not reject. */
async function checkItemAudio(item: Item, checked: CheckedItem): Promise<CheckedItem> {
	if (checked.kind !== 'ready') return checked;
	// Timeouts end the check, because n8n's storage may never respond.
	const timeouts = new CallTimeouts({}, undefined);
	const { signal } = timeouts;
	try {
		await rejectOnAbort(
			checkAudio(checked.request, item.operation.endpoint, timeouts, signal),
			signal,
		);
		return checked;
	} catch (error) {
		return { kind: 'failed', error: timeouts.reason ?? error };
	} finally {
		timeouts.finish();
	}
}

/**
 * Checks an item before its call. Does not wait for n8n after a cancellation, because n8n may be slow to read a credential
 * or a file.
 *
 * @param includesAudio whether the first bytes of a file are read
 * @param stopSignal aborts when the execution is canceled
 */
async function checkItem(
	item: Item,
	state: RunState,
	includesAudio: boolean,
	stopSignal: AbortSignal,
): Promise<CheckedItem> {
	async function check(): Promise<CheckedItem> {
		const checked = await checkParameters(item, state);
		return includesAudio ? await checkItemAudio(item, checked) : checked;
	}
	if (stopSignal.aborted) return { kind: 'canceled' };
	try {
		return await rejectOnAbort(check(), stopSignal);
	} catch {
		// The checks themselves do not reject.
		return { kind: 'canceled' };
	}
}

/** Checks all items, up to the first one that fails. Its failure stops the run before any call starts. */
async function checkAllItems(
	items: Item[],
	state: RunState,
	admission: Admission,
): Promise<CheckedItem[]> {
	const checkedItems: CheckedItem[] = [];
	const eventLoop = new EventLoopYield();
	const stopSignal = admission.createStopSignal(undefined);
	// With one item, the check before its call is enough, because there is no other call whose result could be lost.
	const checksAudio = items.length > 1;
	for (const item of items) {
		await eventLoop.yieldIfDue();
		const checked = await checkItem(item, state, checksAudio, stopSignal);
		checkedItems.push(checked);
		if (checked.kind === 'failed') {
			admission.fail(createFailure(item.index, checked.error));
			break;
		}
	}
	return checkedItems;
}

/** Creates the error of an item whose call may not start. */
async function explainBlock(
	block: Exclude<StartBlock, { kind: 'backoff' }>,
	wasSent: boolean,
): Promise<Error> {
	if (block.kind === 'canceled') return createCanceledError();
	const { index, error, access } = block.failure;
	const { message } = await error;
	const reason = access === undefined ? message : access.maskKey(message);
	return createBlockedError(index, reason, wasSent);
}

/** Makes the call of a checked item, and makes it again after the service refused it before any work. */
async function callItem(
	item: Item,
	request: PreparedRequest,
	admission: Admission,
	state: RunState,
): Promise<ItemOutcome> {
	const { index } = item;
	const { access } = request;
	const stopSignal = admission.createStopSignal(access.apiKey);
	state.recordConsoleUrl(index, access.consoleUrl);
	let repeats = 0;
	for (;;) {
		await state.backoff.waitUntilOver(stopSignal);
		const end = await makeCall(item, request, admission, repeats);
		if (end.kind === 'refusedBeforeWork') {
			state.recordPayment(index, 'refused');
			repeats++;
			continue;
		}
		if (end.kind === 'completed') {
			const call = { output: end.output, options: request.options };
			state.recordPayment(index, 'debited');
			state.cacheCall(index, computeFingerprint(request), call);
			return { kind: 'succeeded', call, isFromEarlierTry: false };
		}
		if (end.kind === 'failed') {
			state.recordPayment(index, end.payment);
			return { kind: 'failed', failure: createFailure(index, end.error, access) };
		}
		const { block } = end;
		if (block.kind === 'backoff') continue;
		const wasSent = state.getPayment(index) !== 'notSent';
		const error = await explainBlock(block, wasSent);
		return { kind: 'blocked', failure: createFailure(index, error, access) };
	}
}

/** Takes a checked item to its outcome. */
async function runCheckedItem(
	item: Item,
	checked: CheckedItem,
	admission: Admission,
	state: RunState,
): Promise<ItemOutcome> {
	switch (checked.kind) {
		case 'ready':
			return await callItem(item, checked.request, admission, state);
		case 'cached':
			return { kind: 'succeeded', call: checked.call, isFromEarlierTry: true };
		case 'failed':
			return { kind: 'failed', failure: createFailure(item.index, checked.error) };
		case 'canceled':
			return { kind: 'blocked', failure: createFailure(item.index, createCanceledError()) };
	}
}

/** When the batches of n8n's Batching start. */
class BatchSchedule {
	private readonly startedAt = Date.now();
	private lastBatch = 0;
	private lastStart = Promise.resolve();

	/** @param intervalMs time between the starts of two batches in ms */
	constructor(private readonly intervalMs: number) {}

	/**
	 * Waits until the batch starts, or the signal aborts. All items of a batch wait for the same promise, because timers
	 * of their own could end in another order.
	 *
	 * @param batch number of the batch, from 0; must not be lower than in an earlier call
	 */
	async waitForBatch(batch: number, stopSignal: AbortSignal): Promise<void> {
		if (batch > this.lastBatch && this.intervalMs > 0) {
			this.lastBatch = batch;
			const startTime = this.startedAt + batch * this.intervalMs;
			this.lastStart = this.lastStart.then(async () => {
				const waitMs = startTime - Date.now();
				if (waitMs > 0) await pause(waitMs, stopSignal);
			});
		}
		await this.lastStart;
	}
}

/**
 * Runs the items of a node run, at most `concurrency` at a time, in their order.
 *
 * If the node stops on failure, all items are checked before the first call, and no call starts after a failure. Otherwise
 * each item is checked directly before its call, and a failure concerns only its own item, except that after a refused key
 * (401) or wallet (402) no call with the same key starts.
 *
 * Resolves when no call is in progress any more. Does not reject.
 */
export async function runItems(
	items: Item[],
	state: RunState,
	{ concurrency, batching, stopsOnFailure, cancelSignal }: RunSettings,
): Promise<RunOutcome> {
	const admission = new Admission(stopsOnFailure, cancelSignal, state.backoff);
	const checkedItems = stopsOnFailure ? await checkAllItems(items, state, admission) : [];
	const outcomes: ItemOutcome[] = [];
	const schedule = new BatchSchedule(batching.intervalMs);
	const eventLoop = new EventLoopYield();
	let nextPosition = 0;

	async function work(): Promise<void> {
		const stopSignal = admission.createStopSignal(undefined);
		for (;;) {
			await eventLoop.yieldIfDue();
			if (nextPosition >= items.length || stopSignal.aborted) return;
			const position = nextPosition;
			nextPosition++;
			await schedule.waitForBatch(Math.floor(position / batching.size), stopSignal);
			const item = items[position] as Item;
			const checked = checkedItems[position] ?? (await checkItem(item, state, false, stopSignal));
			outcomes[position] = await runCheckedItem(item, checked, admission, state);
		}
	}

	const workers = Math.min(Math.floor(concurrency), items.length);
	await Promise.all(Array.from({ length: workers }, work));

	if (admission.runFailure !== undefined) return { kind: 'failed', failure: admission.runFailure };
	// Without a failure of the run, only a cancellation leaves items that were not started.
	for (const { index } of items.slice(nextPosition)) {
		outcomes.push({ kind: 'blocked', failure: createFailure(index, createCanceledError()) });
	}
	const firstUnsuccessful = outcomes.find((outcome) => outcome.kind !== 'succeeded');
	if (stopsOnFailure && firstUnsuccessful !== undefined) {
		return { kind: 'failed', failure: firstUnsuccessful.failure };
	}
	return { kind: 'completed', outcomes };
}
