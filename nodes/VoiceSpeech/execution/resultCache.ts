import type { Result } from '../response/readResponse';
import type { CallOptions } from './options';
import { fingerprintOf, type PreparedRequest } from './prepareRequest';

/** A call that was made. */
export interface CachedCall {
	fingerprint: unknown[];
	options: CallOptions;
	/** Undefined if the call failed, or was not made after all. */
	result: Promise<Result | undefined>;
}

/**
 * Calls that were made in one node run, by item index: under Retry On Fail n8n runs the node again, and an item that
 * succeeded must not be sent again.
 */
export class ResultCache {
	private readonly calls = new Map<number, CachedCall>();

	/** Whether any call was made for this item. */
	has(index: number): boolean {
		return this.calls.has(index);
	}

	/**
	 * The same request of an earlier try; undefined if there was none.
	 *
	 * @param request undefined if it cannot be prepared any more: then the earlier request counts as the same
	 */
	find(index: number, request: PreparedRequest | undefined, path: string): CachedCall | undefined {
		const call = this.calls.get(index);
		if (request === undefined || call === undefined) return call;
		const fingerprint = fingerprintOf(request, path);
		const isSame =
			call.fingerprint.length === fingerprint.length &&
			call.fingerprint.every((part, position) => part === fingerprint[position]);
		return isSame ? call : undefined;
	}

	/** @param result of the call that has just begun */
	set(
		index: number,
		request: PreparedRequest,
		path: string,
		result: Promise<Result | undefined>,
	): void {
		this.calls.set(index, {
			fingerprint: fingerprintOf(request, path),
			options: request.options,
			result: result.catch(() => undefined),
		});
	}
}
