import type { CallOptions } from '../descriptions/options';
import type { Result } from '../response/readResponse';

/** A call that succeeded. */
export interface Success {
	result: Result;
	options: CallOptions;
}

interface Call {
	fingerprint: unknown[];
	/** Undefined if the call failed, or was not made after all. */
	success: Promise<Success | undefined>;
}

/**
 * Calls that were made in one node run, by item index: under Retry On Fail n8n runs the node again, and an item that
 * succeeded must not be sent again.
 */
export class ResultCache {
	private readonly calls = new Map<number, Call>();

	/**
	 * The call for the same request in an earlier try, perhaps still in progress; undefined if there was none.
	 *
	 * @param fingerprint of the request; undefined if it cannot be prepared: then any call of the item counts
	 */
	find(index: number, fingerprint?: unknown[]): Call['success'] | undefined {
		const call = this.calls.get(index);
		const isSame =
			fingerprint === undefined ||
			(call?.fingerprint.length === fingerprint.length &&
				call.fingerprint.every((part, position) => part === fingerprint[position]));
		return isSame ? call?.success : undefined;
	}

	/** Keeps a call that has just begun. */
	set(index: number, fingerprint: unknown[], success: Call['success']): void {
		this.calls.set(index, { fingerprint, success: success.catch(() => undefined) });
	}
}
