import { UnexpectedError } from 'n8n-workflow';

/** What was caught, as an error. Code of others may throw any value. */
export function toError(caught: unknown): Error {
	return caught instanceof Error ? caught : new UnexpectedError(String(caught));
}
