import { UnexpectedError } from 'n8n-workflow';

/** Returns what was caught as an error. n8n and other code may throw any value. */
export function toError(caught: unknown): Error {
	return caught instanceof Error ? caught : new UnexpectedError(String(caught));
}
