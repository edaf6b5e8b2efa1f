/** Bounds of a call's retries. */
export interface RetryLimits {
	rateLimitRetries: number;
	maxRetryWaitSeconds: number;
}

type Headers = Record<string, unknown>;

/**
 * Reads Retry-After, in its two forms: a number of seconds, or a date (RFC 9110, 10.2.3).
 *
 * @returns seconds, or undefined where the service does not say
 */
export function retryAfterSeconds(headers: Headers): number | undefined {
	const value = String(headers['retry-after']);
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
	// A date begins with its weekday; anything else might still be taken for one ('-1' is in the year 2001).
	const until = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(value) ? Date.parse(value) : NaN;
	if (Number.isNaN(until)) return undefined;
	// Against the service's own clock where it tells it: ours may be off.
	const now = Date.parse(String(headers.date));
	return Math.max(0, (until - (Number.isNaN(now) ? Date.now() : now)) / 1000);
}

/** Seconds before the first retry, at most, where the service names no time; they double from try to try. */
const firstWait = 1;

/**
 * Whether and when a refused call is sent again: only where HTTP's usual meaning says that it was refused before
 * any work (contract, money 4).
 *
 * @param tries how often this call was sent again already
 * @returns the wait in seconds, or undefined where the call is not to be sent again
 */
export function retryWait(
	status: number,
	headers: Headers,
	tries: number,
	limits: RetryLimits,
): number | undefined {
	const asked = retryAfterSeconds(headers);
	const refusedBeforeWork = status === 429 || (status === 503 && asked !== undefined);
	if (!refusedBeforeWork || tries >= limits.rateLimitRetries) return undefined;
	// Up to half as much less, so that calls refused together do not come back together.
	const wait = asked ?? firstWait * 2 ** tries * (1 - Math.random() / 2);
	return wait <= limits.maxRetryWaitSeconds ? wait : undefined;
}
