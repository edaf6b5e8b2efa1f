import type { DebitRecord, DebitStatus } from '../debit';
import { QuotingError } from './quotingError';

/** The error of a request that was handed to n8n's client, with what is known about its debit. */
export class CallError extends QuotingError {
	/** What this error proves about the debit of its request. */
	readonly debit: DebitStatus;

	/** HTTP status of the service's response; undefined without one. */
	readonly status: number | undefined;

	constructor(
		message: string,
		advice: string,
		{ debit, status, quote = '' }: { debit: DebitStatus; status?: number; quote?: string },
	) {
		super(message, advice, quote);
		this.debit = debit;
		this.status = status;
	}
}

/** What is known about the debit of a failed item, in a sentence for the user. */
export function describeDebit({ debit, consoleName }: DebitRecord): string {
	switch (debit) {
		case 'notSent':
			return 'This item was not sent, so it was not debited.';
		case 'refused':
			return 'The call was refused. Whether refused calls cost credits is not documented.';
		case 'possible':
			return `The call may have been debited: check the usage dashboard in ${consoleName} before you send it again.`;
		case 'debited':
			return 'The service accepted the call, so it was debited.';
	}
}
