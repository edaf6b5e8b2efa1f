import type { Admission } from '../call/admission';
import {
	type AnyItem,
	createFailure,
	isLocalItem,
	type Item,
	type ItemFailure,
} from '../call/item';
import { checkAudio } from '../call/openBody';
import { prepareRequest } from '../call/prepareRequest';
import { computeFingerprint, type PreparedRequest } from '../call/request';
import { CallTimeouts } from '../call/timeouts';
import { toError } from '../errors/bases';
import { EventLoopYielder, rejectOnAbort } from '../streams/waiting';
import type { ReadyRequest } from './callItem';
import { createCanceledOutcome, type ItemOutcome, type RunState } from './runState';

/** What a check finds: that the call can be made, or the outcome of an item that needs no call. */
export type ItemCheck = ReadyRequest | ItemOutcome;

function createFailedOutcome(index: number, error: unknown): ItemOutcome {
	return { kind: 'failed', failure: createFailure(index, toError(error)) };
}

/** Prepares the request of an item, unless an earlier try paid for the same request. Does not reject. */
async function prepareUnlessPaid(item: Item, state: RunState): Promise<ItemCheck> {
	const { index } = item;
	let request: PreparedRequest;
	try {
		request = await prepareRequest(item);
	} catch (error) {
		// The response of an earlier try is used, although its request cannot be compared with this one.
		return state.getLastPaid(index) ?? createFailedOutcome(index, error);
	}
	const fingerprint = computeFingerprint(request);
	const earlier = state.findPaid(index, fingerprint);
	return earlier ?? { kind: 'ready', request, fingerprint };
}

/** Checks the audio of a request, without sending anything. Does not reject. */
async function checkItemAudio(
	{ index }: Item,
	check: ItemCheck,
	cancelSignal: AbortSignal,
): Promise<ItemCheck> {
	if (check.kind !== 'ready') return check;
	// Timeouts end the check, because n8n's storage may never respond.
	const timeouts = new CallTimeouts({}, cancelSignal);
	const { signal } = timeouts;
	try {
		await rejectOnAbort(checkAudio(check.request, timeouts, signal), signal);
		return check;
	} catch (error) {
		return createFailedOutcome(index, timeouts.reason ?? error);
	} finally {
		timeouts.finish();
	}
}

/**
 * Checks an item before its call. Does not wait for n8n after a cancellation, because n8n may be slow to read a credential
 * or a file.
 *
 * @param includesAudio whether the first bytes of a file are read
 */
export async function checkItem(
	item: Item,
	state: RunState,
	includesAudio: boolean,
	cancelSignal: AbortSignal,
): Promise<ItemCheck> {
	const { index } = item;

	async function prepareAndCheck(): Promise<ItemCheck> {
		const check = await prepareUnlessPaid(item, state);
		return includesAudio ? await checkItemAudio(item, check, cancelSignal) : check;
	}
	// n8n also runs the node again if the first result has a field `error`. Nothing failed, so no parameter is read again.
	const earlier = state.hasAllResults ? state.getLastPaid(index) : undefined;
	if (earlier !== undefined) return earlier;
	if (cancelSignal.aborted) return createCanceledOutcome(index, state);
	try {
		return await rejectOnAbort(prepareAndCheck(), cancelSignal);
	} catch (error) {
		if (cancelSignal.aborted) return createCanceledOutcome(index, state);
		// The checks should not reject. If one does, it is a failure of this item.
		return createFailedOutcome(index, error);
	}
}

/** Result of checking all items before the first call. */
type AllItemsCheck =
	/** A check for each item; undefined for one that makes no call. */
	| { kind: 'checked'; itemChecks: Array<ItemCheck | undefined> }
	/** The check of an item failed, so those after it were not checked. */
	| { kind: 'failed'; failure: ItemFailure };

/** Checks all items that make a call, up to the first one that fails. */
export async function checkAllItems(
	items: AnyItem[],
	state: RunState,
	admission: Admission,
): Promise<AllItemsCheck> {
	const itemChecks: Array<ItemCheck | undefined> = [];
	const eventLoop = new EventLoopYielder();
	const cancelSignal = admission.createCancelSignal();
	// The audio of a single item is read only when its call opens it, because no result of another call can be lost.
	const includesAudio = items.length > 1;
	for (const item of items) {
		await eventLoop.yieldIfDue(cancelSignal);
		if (isLocalItem(item)) {
			itemChecks.push(undefined);
			continue;
		}
		const check = await checkItem(item, state, includesAudio, cancelSignal);
		if (check.kind === 'failed') return check;
		itemChecks.push(check);
	}
	return { kind: 'checked', itemChecks };
}
