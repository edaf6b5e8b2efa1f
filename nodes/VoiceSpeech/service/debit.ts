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

/**
 * What is known about the debit of a failed item, in a sentence for the user.
 *
 * @param consoleLabel how the sentence refers to the console that shows the debit
 */
export function describeDebit(debit: DebitStatus, consoleLabel: string): string {
	switch (debit) {
		case 'notSent':
			return 'This item was not sent, so it was not debited.';
		case 'refused':
			return 'The call was refused. Whether refused calls cost credits is not documented.';
		case 'possible':
			return `The call may have been debited: check the usage dashboard in ${consoleLabel} before you send it again.`;
		case 'debited':
			return 'The service accepted the call, so it was debited.';
	}
}

/**
 * Says how many of the run's other items were debited, or may have been, or that none was sent. Empty if the run has no
 * others, or if some were refused and none may have been debited.
 */
export function describeOtherItems(counts: Record<DebitStatus, number>): string {
	const { notSent, refused, possible, debited } = counts;
	if (possible + debited === 0) {
		const isNoneSent = notSent > 0 && refused === 0;
		return isNoneSent ? 'No other item of this run was sent.' : '';
	}
	const sentences: string[] = [];
	if (debited > 0) {
		const items = debited === 1 ? 'item of this run was' : 'items of this run were';
		const them = debited === 1 ? 'it' : 'them';
		sentences.push(
			`${debited} other ${items} debited, and a new execution pays for ${them} again.`,
		);
	}
	if (possible > 0) {
		const items = possible === 1 ? 'item' : 'items';
		sentences.push(`${possible} other ${items} of this run may have been debited.`);
	}
	sentences.push(
		"To keep the results of items that succeed, set 'On Error' to 'Continue (using error output)'.",
	);
	return sentences.join(' ');
}
