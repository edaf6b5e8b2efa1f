import type { IDataObject } from 'n8n-workflow';

import type { CallOptions } from '../descriptions/options';
import { maxFirstRetryWaitSeconds } from '../limits';
import { isRefusedBeforeWork } from '../service/statusMeaning';
import { pause } from '../streams/waiting';

/** Holds back all calls of a node run after a refusal that is retried, until the wait is over. */
export class RateLimitBackoff {
	/** A time of `performance.now()`, in ms. */
	private until = 0;

	/** Whether no call may start now. */
	get isInEffect(): boolean {
		return performance.now() < this.until;
	}

	/** Starts a back-off of this many seconds from now, unless a longer one is in effect. */
	begin(seconds: number): void {
		this.until = Math.max(this.until, performance.now() + seconds * 1000);
	}

	/** Resolves when no back-off is in effect, or the signal aborts. */
	async waitUntilOver(stopSignal: AbortSignal): Promise<void> {
		while (!stopSignal.aborted && this.isInEffect) {
			await pause(this.until - performance.now(), stopSignal);
		}
	}
}

/**
 * Reads Retry-After, a number of seconds or a date (RFC 9110, 10.2.3). Decimals are accepted too.
 *
 * @returns seconds from now; undefined if it is missing or invalid
 */
export function readRetryAfter(headers: IDataObject): number | undefined {
	const value = String(headers['retry-after']);
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
	// A date begins with its weekday. Date.parse alone would also accept other texts, such as '-1' (the year 2001).
	// An asctime-date has no time zone; it is in GMT (RFC 9110, 5.6.7).
	const date = / \d{4}$/.test(value) ? `${value} GMT` : value;
	const until = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(value) ? Date.parse(date) : NaN;
	if (Number.isNaN(until)) return undefined;
	// Relative to the service's Date header, if it sends one, because the clock of n8n's server may differ.
	const serviceTime = Date.parse(String(headers.date));
	const now = Number.isNaN(serviceTime) ? Date.now() : serviceTime;
	return Math.max(0, (until - now) / 1000);
}

/**
 * Decides whether a refused call is retried, and when.
 *
 * @param retryAfter how long the service asks to wait, in seconds
 * @param retries how often this call has been retried already
 * @returns the wait in seconds before the call is sent again; undefined if it is not
 */
export function chooseRetryDelay(
	status: number,
	retryAfter: number | undefined,
	retries: number,
	{ rateLimitRetries, maxRetryWaitSeconds }: CallOptions,
): number | undefined {
	// An expression may yield a fraction.
	const mayRetry = retries + 1 <= rateLimitRetries;
	if (!isRefusedBeforeWork(status, retryAfter) || !mayRetry) return undefined;
	if (retryAfter !== undefined) return retryAfter <= maxRetryWaitSeconds ? retryAfter : undefined;
	// Jitter shortens the wait by up to half, so that several runs do not retry at the same moment. The calls of one run do,
	// because they share the back-off, but 'Concurrency' limits their number.
	const jitter = 1 - Math.random() / 2;
	return Math.min(maxFirstRetryWaitSeconds * 2 ** retries * jitter, maxRetryWaitSeconds);
}
