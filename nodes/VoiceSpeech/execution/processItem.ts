import { UserError, type ICredentialDataDecryptedObject } from 'n8n-workflow';

import { CallError, failsAllItems } from '../errors/callError';
import { notPrepared } from '../errors/notSent';
import type { Result } from '../response/readResponse';
import type { RateLimitBackoff } from './backoff';
import type { Batch, RunFailure } from './batch';
import type { Item } from './item';
import type { ConcurrencyLimiter } from './limiter';
import type { CallOptions } from './options';
import { prepareRequest, type PreparedRequest } from './prepareRequest';
import type { ResultCache } from './resultCache';
import { sendWithRetries } from './send';

/** What became of an item. */
export type Outcome =
	| { kind: 'sent'; result: Result; options: CallOptions }
	| { kind: 'failed'; error: unknown }
	/** `because` is another item's failure; without one, n8n rejected the run, or has begun its next try. */
	| { kind: 'notSent'; because: RunFailure | undefined }
	| { kind: 'canceled' };

/** What the items of a node run share. */
export interface RunServices {
	batch: Batch;
	limiter: ConcurrencyLimiter;
	backoff: RateLimitBackoff;
	/** Undefined if n8n does not run the node again. */
	results: ResultCache | undefined;
	/** By item index, once a request has left n8n, or may have: whether it may have been debited. */
	sent: Map<number, boolean>;
}

/** Prepares the request of an item, and keeps the key of the credential for hiding it in errors. */
export class RequestPreparation {
	/** Undefined until the credential is read. */
	apiKey: string | undefined;

	constructor(readonly item: Item) {}

	/** @throws UserError that says what to do */
	async prepare(): Promise<PreparedRequest> {
		const keepKey = ({ apiKey }: ICredentialDataDecryptedObject) => {
			this.apiKey = String(apiKey ?? '').trim();
		};
		try {
			return await prepareRequest(this.item, keepKey);
		} catch (error) {
			return await Promise.reject(error instanceof UserError ? error : notPrepared(error));
		}
	}
}

function notSent(batch: Batch): Outcome {
	return batch.isCanceled ? { kind: 'canceled' } : { kind: 'notSent', because: batch.failure };
}

async function call(
	item: Item,
	request: PreparedRequest,
	{ batch, backoff, results, sent }: RunServices,
): Promise<Outcome> {
	const { index, endpoint } = item;
	const onSent = (mayBeDebited: boolean) =>
		sent.set(index, mayBeDebited || sent.get(index) === true);
	const sending = sendWithRetries({ item, request, batch, backoff, onSent });
	results?.set(index, request, endpoint.path, sending);
	const result = await sending;
	return result === undefined ? notSent(batch) : { kind: 'sent', result, options: request.options };
}

/**
 * Checks an item before it asks for a slot: without continue on failure, so that no call starts before all items that
 * came with it are checked; and where an earlier try made a call for it.
 *
 * @returns the request, or the outcome of the same request in an earlier try
 */
async function checkFirst(
	preparation: RequestPreparation,
	{ batch, results }: RunServices,
): Promise<PreparedRequest | Outcome> {
	const { index, endpoint } = preparation.item;
	const group = batch.stopsOnFailure ? batch.joinGroup() : undefined;
	const preparing = preparation.prepare();
	const [checked] = await Promise.allSettled([preparing]);
	const request = checked.status === 'fulfilled' ? checked.value : undefined;
	const cached = results?.find(index, request, endpoint.path);
	const isLost = checked.status === 'rejected' && (await cached?.result) === undefined;
	// The failure first: it must be known when the last check lets the others go on.
	if (isLost) {
		batch.fail({ index, error: checked.reason as Error, apiKey: preparation.apiKey }, false);
	}
	// Before the check is reported: the last item that was checked must not overtake those that wait.
	const opened = group?.allChecked(index);
	group?.checked();
	if (cached) {
		const result = await cached.result;
		if (result) return { kind: 'sent', result, options: cached.options };
	}
	if (request) await opened;
	return await preparing;
}

/**
 * Takes one item from its check to its outcome.
 *
 * An item waits for three things: without continue on failure, until all items that came with it are checked; until
 * fewer than `concurrency` calls are in progress; and until no back-off is in effect.
 */
export async function processItem(
	preparation: RequestPreparation,
	services: RunServices,
): Promise<Outcome> {
	const { item } = preparation;
	const { batch, limiter } = services;
	try {
		const isFirst = batch.stopsOnFailure || services.results?.has(item.index) === true;
		const checked = isFirst ? await checkFirst(preparation, services) : undefined;
		if (checked && 'kind' in checked) return checked;
		if (batch.ended.aborted || !(await limiter.acquire())) return notSent(batch);
		try {
			return await call(item, checked ?? (await preparation.prepare()), services);
		} finally {
			limiter.release();
		}
	} catch (error) {
		// In the same tick as the release: the next call in line sees the failure.
		const status = error instanceof CallError ? error.status : undefined;
		const failure = { index: item.index, error: error as Error, apiKey: preparation.apiKey };
		batch.fail(failure, failsAllItems(status));
		return { kind: 'failed', error };
	}
}
