import { rejectOnAbort } from '../async/abort';
import type { Admission } from '../call/admission';
import { EventLoopYielder } from '../async/eventLoop';
import type { Item } from '../call/item';
import type { PreparedRequest } from '../call/request';
import { checkAudio } from '../call/openBody';
import { computeFingerprint } from '../call/fingerprint';
import { prepareRequest } from '../call/prepareRequest';
import { CallTimeouts } from '../call/timeouts';
import { toError } from '../errors/toError';
import type { CallResult, RunState } from './runState';

export type ItemCheck =
	| { kind: 'ready'; request: PreparedRequest }
	/** An earlier try succeeded with the same request. */
	| { kind: 'cached'; result: CallResult }
	| { kind: 'failed'; error: Error }
	/** The execution was canceled before the check ended. */
	| { kind: 'canceled' };

/** Prepares the request of an item, unless an earlier try succeeded with the same request. Does not reject. */
async function prepareUnlessCached(item: Item, state: RunState): Promise<ItemCheck> {
	let request: PreparedRequest;
	try {
		request = await prepareRequest(item);
	} catch (error) {
		const result = state.getCachedResult(item.index);
		return result === undefined
			? { kind: 'failed', error: toError(error) }
			: { kind: 'cached', result };
	}
	const result = state.findResultOfSameRequest(item.index, computeFingerprint(request));
	return result === undefined ? { kind: 'ready', request } : { kind: 'cached', result };
}

/** Checks the audio of a request, without sending anything. Does not reject. */
async function checkItemAudio(check: ItemCheck, cancelSignal: AbortSignal): Promise<ItemCheck> {
	if (check.kind !== 'ready') return check;
	// Timeouts end the check, because n8n's storage may never respond.
	const timeouts = new CallTimeouts({}, cancelSignal);
	const { signal } = timeouts;
	try {
		await rejectOnAbort(checkAudio(check.request, timeouts, signal), signal);
		return check;
	} catch (error) {
		return { kind: 'failed', error: timeouts.reason ?? toError(error) };
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
	async function prepareAndCheck(): Promise<ItemCheck> {
		const check = await prepareUnlessCached(item, state);
		return includesAudio ? await checkItemAudio(check, cancelSignal) : check;
	}
	if (cancelSignal.aborted) return { kind: 'canceled' };
	try {
		return await rejectOnAbort(prepareAndCheck(), cancelSignal);
	} catch (error) {
		if (cancelSignal.aborted) return { kind: 'canceled' };
		// The checks should not reject. If one does, it is a failure of this item.
		return { kind: 'failed', error: toError(error) };
	}
}

/** Result of checking all items before the first call. */
type AllItemsCheck =
	| { kind: 'checked'; itemChecks: ItemCheck[] }
	/** The check of this item failed, so those after it were not checked. */
	| { kind: 'failed'; index: number; error: Error };

/** Checks all items, up to the first one that fails. */
export async function checkAllItems(
	items: Item[],
	state: RunState,
	admission: Admission,
): Promise<AllItemsCheck> {
	const itemChecks: ItemCheck[] = [];
	const eventLoop = new EventLoopYielder();
	const cancelSignal = admission.createCancelSignal();
	// The audio of a single item is read only when its call opens it, because no result of another call can be lost.
	const includesAudio = items.length > 1;
	for (const item of items) {
		await eventLoop.yieldIfDue();
		const check = await checkItem(item, state, includesAudio, cancelSignal);
		if (check.kind === 'failed') return { kind: 'failed', index: item.index, error: check.error };
		itemChecks.push(check);
	}
	return { kind: 'checked', itemChecks };
}
