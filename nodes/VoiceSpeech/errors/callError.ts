import { plainConsoleName } from '../../../credentials/checkedCredential';
import { QuotingError } from './quotingError';

/**
 * What is known of the debit of a request, in ascending order.
 * - `notSent`: it provably never left n8n, so it was not debited.
 * - `refused`: the service refused it. Whether refused calls are debited is not documented.
 * - `possible`: it may have been debited, because it may have reached the service.
 * - `debited`: the service returned the result, even if n8n could not store it.
 */
export type DebitStatus = 'notSent' | 'refused' | 'possible' | 'debited';

const ascendingDebits: DebitStatus[] = ['notSent', 'refused', 'possible', 'debited'];

/** What is known of the debit of an item, over all requests that were made for it. */
export interface DebitRecord {
	debit: DebitStatus;
	/** How texts refer to the console that shows the debit. */
	consoleName: string;
}

/** The record of an item for which no request was made. */
export const notSentRecord: DebitRecord = { debit: 'notSent', consoleName: plainConsoleName };

/** The debit status of an item for which two requests were made. That is the higher one, with its console. */
export function chooseHigherDebit(earlier: DebitRecord, later: DebitRecord): DebitRecord {
	const isLower = ascendingDebits.indexOf(later.debit) < ascendingDebits.indexOf(earlier.debit);
	return isLower ? earlier : later;
}

/** The error of a request that was handed to n8n's client, with what is known of its debit. */
export class CallError extends QuotingError {
	/** What the error shows of the debit of this request. */
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

/** What is known of the debit of a failed item, in a sentence for the user. */
export function describeDebit({ debit, consoleName }: DebitRecord): string {
	switch (debit) {
		case 'notSent':
			return 'This item was not sent, so it was not debited.';
		case 'refused':
			return 'The service refused the call. Whether refused calls cost credits is not documented.';
		case 'possible':
			return `The call may have been debited: check the usage dashboard in ${consoleName} before you send it again.`;
		case 'debited':
			return 'The service accepted the call, so it was debited.';
	}
}
