import { plainConsoleName } from '../../../credentials/access';
import type { CallOptions } from '../descriptions/options';
import { chooseHigherPayment, type Payment } from '../errors/callError';
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
	private readonly payments = new Map<number, Payment>();
	private readonly consoleNames = new Map<number, string>();
	private readonly cachedCalls = new Map<number, CachedCall>();

	/**
	 * @param earlierPayment of requests that may have been made for the same items before this state existed
	 * @param earlierConsoleName how texts refer to the console of these requests
	 */
	constructor(
		private readonly earlierPayment: Payment = 'notSent',
		private readonly earlierConsoleName = plainConsoleName,
	) {}

	/** What is known of the payment of an item, over all tries. */
	getPayment(index: number): Payment {
		return this.payments.get(index) ?? this.earlierPayment;
	}

	recordPayment(index: number, payment: Payment): void {
		this.payments.set(index, chooseHigherPayment(this.getPayment(index), payment));
	}

	/** How texts refer to the console that shows what the calls of an item cost. */
	getConsoleName(index: number): string {
		return this.consoleNames.get(index) ?? this.earlierConsoleName;
	}

	/** Keeps the name for later tries, which may fail before they have read the credential again. */
	recordConsoleName(index: number, consoleName: string): void {
		this.consoleNames.set(index, consoleName);
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
