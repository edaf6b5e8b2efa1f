import { plainConsoleLabel } from '../../credentials/checkedCredential';

/**
 * What is known about the debit of a request, in ascending order.
 * - `notSent`: it provably never left n8n, so it was not debited.
 * - `refused`: the service refused it, or a proxy or firewall. Whether refused calls are debited is not documented.
 * - `possible`: it may have been debited, because it may have reached the service.
 * - `debited`: the service returned the result, even if n8n could not store it.
 */
export type DebitStatus = 'notSent' | 'refused' | 'possible' | 'debited';

const ascendingDebits: DebitStatus[] = ['notSent', 'refused', 'possible', 'debited'];

/** What is known about the debit of an item, over all requests that were made for it. */
export interface DebitRecord {
	debit: DebitStatus;
	/** How messages refer to the console that shows the debit. */
	consoleLabel: string;
}

/** The record of an item for which no request was made. */
export const notSentRecord: DebitRecord = { debit: 'notSent', consoleLabel: plainConsoleLabel };

/** Chooses the record with the higher debit status for an item for which two requests were made. */
export function chooseHigherDebit(earlier: DebitRecord, later: DebitRecord): DebitRecord {
	const isLower = ascendingDebits.indexOf(later.debit) < ascendingDebits.indexOf(earlier.debit);
	return isLower ? earlier : later;
}
