// The service documents no status codes, so these are HTTP's meanings.

export function isSuccess(status: number): boolean {
	return Math.floor(status / 100) === 2;
}

/** Whether a success has only a part of the content (RFC 9110, 15.3.7). The node never asks for a part. */
export function isPartialContent(status: number): boolean {
	return status === 206;
}

/**
 * Whether a status refuses the key (401) or its wallet (402). The node assumes that the service then refuses every call
 * with this key. RFC 9110 defines 401 (15.5.2), and reserves 402 (15.5.3).
 */
export function isKeyRefusal(status: number): boolean {
	return status === 401 || status === 402;
}

/**
 * Whether a status means that the request was refused before any work: 429 (RFC 6585, 4), or 503 with Retry-After
 * (RFC 9110, 15.6.4).
 *
 * @param retryAfter how long the service asks to wait, in seconds
 */
export function isRefusedBeforeWork(status: number, retryAfter: number | undefined): boolean {
	return status === 429 || (status === 503 && retryAfter !== undefined);
}

/**
 * Whether a status means that a proxy in front of the service got no response from it in time: 504 (RFC 9110, 15.6.5), or
 * 522 and 524, which content delivery networks use for it.
 */
export function isGatewayTimeout(status: number): boolean {
	return [504, 522, 524].includes(status);
}

/**
 * Whether a status means that a proxy in front of the service got no usable response from it, for example because it could
 * not connect: others from 520 to 527, which content delivery networks use for it.
 */
export function isGatewayFailure(status: number): boolean {
	return status >= 520 && status <= 527 && !isGatewayTimeout(status);
}

/**
 * What a status that is not a success proves about the debit. The service may have done its work before a redirect too
 * (RFC 9110, 15.4.4).
 *
 * @param retryAfter how long the service asks to wait, in seconds
 */
export function getDebit(status: number, retryAfter: number | undefined): DebitStatus {
	if (isRefusedBeforeWork(status, retryAfter)) return 'refused';
	const isRefused = status >= 400 && status < 500 && status !== 408;
	return isRefused ? 'refused' : 'possible';
}

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
