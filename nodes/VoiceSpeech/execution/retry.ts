import { firstRetryWaitSeconds } from '../limits';

/** Limits of a call's repetitions. */
export interface RetryLimits {
	/** How often the call may be sent again. */
	rateLimitRetries: number;
	/** Longest wait before it is sent again. */
	maxRetryWaitSeconds: number;
}

type Headers = Record<string, unknown>;

/**
 * Reads Retry-After, in its two forms: a number of seconds, or a date (RFC 9110, 10.2.3).
 *
 * @returns seconds, or undefined if the service does not say
 */
export function retryAfterSeconds(headers: Headers): number | undefined {
	const value = String(headers['retry-after']);
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
	// A date begins with its weekday; anything else might still be taken for one ('-1' is in the year 2001).
	// The form that ends with the year has no time zone, and is in GMT (RFC 9110, 5.6.7).
	const date = / \d{4}$/.test(value) ? `${value} GMT` : value;
	const until = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(value) ? Date.parse(date) : NaN;
	if (Number.isNaN(until)) return undefined;
	// Relative to the service's Date header, if it sends one: our clock may be off.
	const now = Date.parse(String(headers.date));
	return Math.max(0, (until - (Number.isNaN(now) ? Date.now() : now)) / 1000);
}

/**
 * Whether and when a refused call is sent again: only if HTTP says that it was refused before any work, by 429 (RFC
 * 6585, 4), or 503 with Retry-After (RFC 9110, 15.6.4). The service documents no status codes.
 *
 * @param retries how often this call was sent again already
 * @returns the wait in seconds; undefined if the call is not sent again
 */
export function retryWait(
	status: number,
	headers: Headers,
	retries: number,
	limits: RetryLimits,
): number | undefined {
	const retryAfter = retryAfterSeconds(headers);
	const isBeforeWork = status === 429 || (status === 503 && retryAfter !== undefined);
	if (!isBeforeWork || retries >= limits.rateLimitRetries) return undefined;
	// Jitter: up to half as long, so that calls that were refused together do not come back together.
	const jitter = 1 - Math.random() / 2;
	const wait = retryAfter ?? firstRetryWaitSeconds * 2 ** retries * jitter;
	return wait <= limits.maxRetryWaitSeconds ? wait : undefined;
}
