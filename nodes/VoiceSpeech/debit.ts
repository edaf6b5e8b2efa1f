/**
 * What is known about the debit of a request, in ascending order.
 * - `notSent`: it provably never left n8n, so it was not debited.
 * - `refused`: the service refused it, or a proxy or firewall. Whether refused calls are debited is not documented.
 * - `possible`: it may have been debited, because it may have reached the service.
 * - `debited`: the service returned a complete success response, even if it cannot be used, or n8n could not store it.
 */
export type DebitStatus = 'notSent' | 'refused' | 'possible' | 'debited';

const ascendingDebits: DebitStatus[] = ['notSent', 'refused', 'possible', 'debited'];

export function isLowerDebit(debit: DebitStatus, other: DebitStatus): boolean {
	return ascendingDebits.indexOf(debit) < ascendingDebits.indexOf(other);
}
