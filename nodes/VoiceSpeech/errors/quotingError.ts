import { UserError } from 'n8n-workflow';

/** An error whose text may quote a file or a response. */
export class QuotingError extends UserError {
	/**
	 * @param message what happened, with the service's own words where it sent any
	 * @param advice what to do next, in complete sentences; may be empty
	 * @param quote a sentence with text from outside, which n8n/nodeError.ts puts last; may be empty
	 */
	constructor(
		message: string,
		advice: string,
		readonly quote: string,
	) {
		super(message, { description: advice });
	}
}
