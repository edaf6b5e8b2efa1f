import { UserError } from 'n8n-workflow';

/** A failure whose text may quote a file or a response. */
export class QuotingError extends UserError {
	/**
	 * @param message what happened, with the service's own words where it sent any
	 * @param advice what to do next, in complete sentences; may be empty
	 * @param quote a sentence that n8n shows last, because its length and content are not ours; may be empty
	 */
	constructor(
		message: string,
		advice: string,
		readonly quote: string,
	) {
		super(message, { description: advice });
	}
}
