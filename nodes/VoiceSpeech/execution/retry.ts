import type { IDataObject } from 'n8n-workflow';

import type { CallOptions } from '../descriptions/options';
import { isRefusedBeforeWork } from '../errors/callError';
import { firstRetryWaitSeconds } from '../limits';
import { pause } from './pause';

/** Holds back all calls of a node run while the service has asked one of them to wait. */
export class RateLimitBackoff {
	private until = 0;
	/** One timer for all calls: a listener per call would be too many on one signal. */
	private waiting: Promise<void> | undefined;

	/** Whether no call may start now. */
	get inEffect(): boolean {
		return Date.now() < this.until;
	}

	/** Starts a back-off of this many seconds from now, unless a longer one is in effect. */
	begin(seconds: number): void {
		this.until = Math.max(this.until, Date.now() + seconds * 1000);
	}

	/** Resolves when no back-off is in effect, or `ended` aborts. */
	async over(ended: AbortSignal): Promise<void> {
		while (!ended.aborted && this.inEffect) {
			this.waiting ??= pause(this.until - Date.now(), ended).finally(() => {
				this.waiting = undefined;
			});
			await this.waiting;
		}
	}
}

/** Reads Retry-After, a number of seconds or a date (RFC 9110, 10.2.3). Undefined if it is missing or invalid. */
export function retryAfterSeconds(headers: IDataObject): number | undefined {
	const value = String(headers['retry-after']);
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
	// A date begins with its weekday: Date.parse also accepts other texts, such as '-1' (the year 2001).
	// An asctime-date has no time zone; it is in GMT (RFC 9110, 5.6.7).
	const date = / \d{4}$/.test(value) ? `${value} GMT` : value;
	const until = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(value) ? Date.parse(date) : NaN;
	if (Number.isNaN(until)) return undefined;
	// Relative to the service's Date header, if it sends one: our clock may be off.
	const now = Date.parse(String(headers.date));
	return Math.max(0, (until - (Number.isNaN(now) ? Date.now() : now)) / 1000);
}

/** The wait in seconds before a refused call is repeated; undefined if it is not repeated. */
export function retryWait(
	status: number,
	headers: IDataObject,
	retries: number,
	limits: Pick<CallOptions, 'rateLimitRetries' | 'maxRetryWaitSeconds'>,
): number | undefined {
	const retryAfter = retryAfterSeconds(headers);
	const isRepeated = isRefusedBeforeWork(status, retryAfter) && retries < limits.rateLimitRetries;
	// Jitter: shortens the wait by up to half, so that calls that were refused together are not repeated together.
	const jitter = 1 - Math.random() / 2;
	const wait = retryAfter ?? firstRetryWaitSeconds * 2 ** retries * jitter;
	return isRepeated && wait <= limits.maxRetryWaitSeconds ? wait : undefined;
}
