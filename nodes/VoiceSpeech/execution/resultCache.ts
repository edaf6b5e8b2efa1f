import type { CallOptions } from '../descriptions/options';
import type { Result } from '../response/readResponse';

/** A call that succeeded. */
export interface Success {
	result: Result;
	options: CallOptions;
}

interface Call {
	fingerprint: unknown[];
	success: Promise<Success | undefined>;
}

/**
 * Calls that were made in one node run, by item index: under Retry On Fail n8n runs the node again, and an item that
 * succeeded must not be sent again.
 */
export class ResultCache {
	private readonly calls = new Map<number, Call>();

	/** Whether any call was made for this item. */
	has(index: number): boolean {
		return this.calls.has(index);
	}

	/**
	 * The same request in an earlier try.
	 *
	 * @param fingerprint of the request; undefined if it cannot be prepared: then the earlier request counts as the same
	 * @returns undefined if there was none. The call may still be in progress; undefined if it did not succeed.
	 */
	find(
		index: number,
		fingerprint: unknown[] | undefined,
	): Promise<Success | undefined> | undefined {
		const call = this.calls.get(index);
		if (call === undefined || fingerprint === undefined) return call?.success;
		const isSame =
			call.fingerprint.length === fingerprint.length &&
			call.fingerprint.every((part, position) => part === fingerprint[position]);
		return isSame ? call.success : undefined;
	}

	/** @param success of the call that has just begun; undefined if it is not made after all */
	set(index: number, fingerprint: unknown[], success: Promise<Success | undefined>): void {
		this.calls.set(index, { fingerprint, success: success.catch(() => undefined) });
	}
}
