import { toError } from '../errors/toError';
import type { PreparedRequest } from './request';

/** The failure of an item. Others may stop because of it. */
export interface ItemFailure {
	/** Index of the item that failed. */
	index: number;
	/** A promise, because the text of a refusal may still be arriving from the service. Does not reject. */
	errorPromise: Promise<Error>;
	/** The prepared request; undefined if preparing it failed. */
	request: PreparedRequest | undefined;
}

export function createFailure(
	index: number,
	error: Error | Promise<Error>,
	request?: PreparedRequest,
): ItemFailure {
	// If the promise rejects, its reason becomes the error. Node would report a rejection as unhandled, because it may come
	// before anything awaits the promise.
	const errorPromise = Promise.resolve(error).catch(toError);
	return { index, errorPromise, request };
}
