/** How the service responds to a call, and the time that it asks to wait, in seconds. */
export const replies = [
	'200',
	'400',
	'401',
	'402',
	'403',
	'429 after 0',
	'429 after 0.05',
	'429 after 1',
	'429 after 600',
	'500',
	'503',
	'503 after 0',
	'503 after 0.05',
	// Ends the connection without a response.
	'reset',
	// Ends the connection in the middle of a successful response.
	'cut',
] as const;

export type Reply = (typeof replies)[number];

/** NaN for a reply without a status. */
export function statusOf(reply: Reply): number {
	return Number.parseInt(reply);
}

/** In seconds; undefined if the service names no time. */
export function retryAfterOf(reply: Reply): string | undefined {
	return reply.split(' after ')[1];
}

/** The default of 'Max Retry Wait (Seconds)'. */
const longestWait = 300;

/**
 * Whether the node sends the call again by itself: HTTP says that it was refused before any work.
 *
 * @param repetitions how often it sent this call again already
 */
export function isRepeated(reply: Reply, repetitions: number, rateLimitRetries: number): boolean {
	const wait = retryAfterOf(reply);
	return wait !== undefined && Number(wait) <= longestWait && repetitions < rateLimitRetries;
}

/** Whether every later call would fail in the same way, even if the node continues on failure. */
export function endsRun(reply: Reply): boolean {
	return reply === '401' || reply === '402';
}

/** Whether the service said that it did no work. With any other failure, it may have debited the call. */
export function isRefusal(reply: Reply): boolean {
	const status = statusOf(reply);
	return (status >= 400 && status < 500) || (status === 503 && retryAfterOf(reply) !== undefined);
}
