import type { CallOptions } from '../descriptions/options';
import {
	chooseHigherPayment,
	nothingSent,
	type Payment,
	type PaymentRecord,
} from '../errors/callError';
import type { CallOutput } from '../response/readResponse';
import { RateLimitBackoff } from '../call/backoff';

/** A call that succeeded, and the options by which its output is made. */
export interface CompletedCall {
	output: CallOutput;
	options: CallOptions;
}

interface CachedCall {
	/** The fingerprint of its request, which `computeFingerprint` in call/prepareRequest.ts makes. */
	fingerprint: unknown[];
	call: CompletedCall;
}

/**
 * What the tries of one node run share. With Retry On Fail, n8n runs the node again, and an item that succeeded must not
 * be sent again.
 */
export class RunState {
	readonly backoff = new RateLimitBackoff();
	private readonly paymentRecords = new Map<number, PaymentRecord>();
	private readonly cachedCalls = new Map<number, CachedCall>();

	/** @param earlierPayment of requests that may have been made for the same items before this state existed */
	constructor(private readonly earlierPayment = nothingSent) {}

	/** What is known of the payment of an item, over all tries. */
	getPaymentRecord(index: number): PaymentRecord {
		return this.paymentRecords.get(index) ?? this.earlierPayment;
	}

	/**
	 * @param consoleName how texts refer to the console that shows the payment; kept for later tries, which may fail before
	 * they have read the credential again
	 */
	recordPayment(index: number, payment: Payment, consoleName: string): void {
		const known = this.getPaymentRecord(index);
		this.paymentRecords.set(index, chooseHigherPayment(known, { payment, consoleName }));
	}

	cacheCall(index: number, fingerprint: unknown[], call: CompletedCall): void {
		this.cachedCalls.set(index, { fingerprint, call });
	}

	/** The last completed call of an item, regardless of its request; undefined if there was none. */
	getLastCall(index: number): CompletedCall | undefined {
		return this.cachedCalls.get(index)?.call;
	}

	/** The completed call of an item with the same request; undefined if there was none, or if its request differs. */
	findCachedCall(index: number, fingerprint: unknown[]): CompletedCall | undefined {
		const cached = this.cachedCalls.get(index);
		if (cached === undefined) return undefined;
		const isSame =
			cached.fingerprint.length === fingerprint.length &&
			cached.fingerprint.every((part, position) => part === fingerprint[position]);
		return isSame ? cached.call : undefined;
	}
}
