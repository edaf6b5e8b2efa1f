import { CallError, failsAllItems } from '../errors/callError';
import type { Item, PreparedRequest } from './item';
import type { NodeRunTry } from './nodeRunTry';
import { fingerprintOf, prepareRequest } from './prepareRequest';
import type { Success } from './resultCache';
import { sendWithRetries } from './send';

/** What became of an item. */
export type Outcome =
	| ({ kind: 'succeeded' } & Success)
	| { kind: 'failed'; error: unknown }
	/** The try ended before the call: see docs/development/architecture.md, "One outcome type". */
	| { kind: 'notSent' };

/** Checks an item before it waits for a slot; it needs none if the same request succeeded in an earlier try. */
async function checkFirst(item: Item, runTry: NodeRunTry): Promise<PreparedRequest | Success> {
	const { index, endpoint } = item;
	const group = runTry.stopsOnFailure ? runTry.joinGroup() : undefined;
	const preparing = prepareRequest(item);
	const [checked] = await Promise.allSettled([preparing]);
	const request = checked.status === 'fulfilled' ? checked.value : undefined;
	const fingerprint = request && fingerprintOf(request, endpoint.path);
	const earlier = runTry.run.results?.find(index, fingerprint);
	// Before `checked()`: the last check starts the calls of the others.
	if (checked.status === 'rejected' && (await earlier) === undefined) {
		runTry.fail({ item, error: checked.reason as Error }, false);
	}
	// Enqueue before `checked()`, so that calls start in the order of the items.
	const allChecked = group?.allChecked(index);
	group?.checked();
	const success = earlier && (await earlier);
	if (success) return success;
	if (request) await allChecked;
	return await preparing;
}

async function call(item: Item, request: PreparedRequest, runTry: NodeRunTry): Promise<Outcome> {
	const calling = sendWithRetries(item, request, runTry);
	runTry.run.results?.set(item.index, fingerprintOf(request, item.endpoint.path), calling);
	const success = await calling;
	return success ? { kind: 'succeeded', ...success } : { kind: 'notSent' };
}

/**
 * Takes one item from its check to its outcome: prepare and check the request, wait, send it, read the response.
 * n8n/paginationHook.ts calls it once per item and try.
 *
 * docs/development/architecture.md lists why an item waits. With continue on failure, it is checked when it has a slot,
 * unless it may have a result of an earlier try.
 */
export async function processItem(item: Item, runTry: NodeRunTry): Promise<Outcome> {
	const { limiter, results } = runTry.run;
	try {
		const isCheckedFirst = runTry.stopsOnFailure || results?.find(item.index) !== undefined;
		const checked = isCheckedFirst ? await checkFirst(item, runTry) : undefined;
		if (checked && 'result' in checked) return { kind: 'succeeded', ...checked };
		if (runTry.ended.aborted || !(await limiter.acquire())) return { kind: 'notSent' };
		try {
			return await call(item, checked ?? (await prepareRequest(item)), runTry);
		} finally {
			limiter.release();
		}
	} catch (error) {
		// In the same tick as the release: the next call that waits sees the failure.
		const failsAll = error instanceof CallError && failsAllItems(error.status);
		runTry.fail({ item, error: error as Error }, failsAll);
		return { kind: 'failed', error };
	}
}
