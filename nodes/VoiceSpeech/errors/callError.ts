import { UserError } from 'n8n-workflow';

/** What a failed call has cost, as far as it can be known. */
export type Debit = 'none' | 'possible';

/** A call that did not bring an answer, told for the person who has to do something about it. */
export class CallError extends UserError {
	/** HTTP status of the service's answer, where there was one. */
	readonly status: number | undefined;

	/**
	 * @param message what happened, in the service's own words where they arrived
	 * @param whatNext what to do about it
	 */
	constructor(message: string, whatNext: string, status?: number) {
		super(message, { description: whatNext });
		this.status = status;
	}

	/** Every later call of the run would fail the same way: the key, or the wallet (contract, money 3). */
	get endsRun(): boolean {
		return this.status === 401 || this.status === 402;
	}
}

/** Stands behind everything that may have been paid for without bringing an answer. */
export const maybeDebited =
	"The call may have been debited: look into the usage dashboard of the service's console before you send it again. The node does not repeat it by itself.";

/** What a call that never reached the service has cost. */
export const nothingDebited = 'Nothing was sent, so nothing was debited.';
