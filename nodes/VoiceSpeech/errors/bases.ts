import { UnexpectedError, UserError } from 'n8n-workflow';

import type { DebitStatus } from '../service/statusMeaning';

/** An error for the user: what happened, and what to do next. */
export class ExplainedError extends UserError {
	/**
	 * @param message what happened, with the service's own words where it sent any
	 * @param advice what to do next, in complete sentences; may be empty. n8n shows it as the description below the message.
	 * @param quote a sentence with text from a file or a response, which n8n/errors.ts puts last; may be empty
	 */
	constructor(
		message: string,
		advice: string,
		readonly quote = '',
	) {
		super(message, { description: advice });
	}
}

/** The error of a request that was handed to n8n's client, with what is known about its debit. */
export class CallError extends ExplainedError {
	/** What this error proves about the debit of its request. */
	readonly debit: DebitStatus;

	/** HTTP status of the service's response; undefined without one. */
	readonly status: number | undefined;

	constructor(
		message: string,
		advice: string,
		{ debit, status, quote }: { debit: DebitStatus; status?: number; quote?: string },
	) {
		super(message, advice, quote);
		this.debit = debit;
		this.status = status;
	}
}

/** The execution was canceled before the item was complete. n8n recognizes this by the word 'canceled' in the message. */
export class CanceledError extends UserError {
	constructor() {
		super('The execution was canceled');
	}
}

/** Returns what was caught as an error. n8n and other code may throw any value. */
export function toError(caught: unknown): Error {
	return caught instanceof Error ? caught : new UnexpectedError(String(caught));
}

/**
 * Throws what was caught, as it is. It is a function, because n8n's lint (require-node-api-error) forbids to throw a caught
 * error in its catch clause.
 */
export function rethrow(caught: unknown): never {
	throw caught;
}
