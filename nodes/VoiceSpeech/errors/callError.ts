import { plainConsoleName } from '../../../credentials/checkedCredential';
import { QuotingError } from './quotingError';

/**
 * What is known of the payment of a request, from the least to the most.
 * - `notSent`: it provably never left n8n, so it was not debited.
 * - `refused`: the service refused it. Whether refused calls are debited is not documented.
 * - `possible`: it may have been debited, because it may have reached the service.
 * - `debited`: the service returned the result, even if n8n could not store it.
 */
export type Payment = 'notSent' | 'refused' | 'possible' | 'debited';

const ascendingPayments: Payment[] = ['notSent', 'refused', 'possible', 'debited'];

/** What is known of the payment of an item, over all requests that were made for it. */
export interface PaymentRecord {
	payment: Payment;
	/** How texts refer to the console that shows the payment. */
	consoleName: string;
}

/** The record of an item for which no request was made. */
export const nothingSent: PaymentRecord = { payment: 'notSent', consoleName: plainConsoleName };

/** What is known of the payment of an item for which two requests were made. That is the higher one, with its console. */
export function chooseHigherPayment(earlier: PaymentRecord, later: PaymentRecord): PaymentRecord {
	const isLower =
		ascendingPayments.indexOf(later.payment) < ascendingPayments.indexOf(earlier.payment);
	return isLower ? earlier : later;
}

/** The failure of a request that was handed to n8n's client, with what is known of its payment. */
export class CallError extends QuotingError {
	/** What the failure shows of the payment of this request. */
	readonly payment: Payment;

	/** HTTP status of the service's response; undefined without one. */
	readonly status: number | undefined;

	constructor(
		message: string,
		advice: string,
		{ payment, status, quote = '' }: { payment: Payment; status?: number; quote?: string },
	) {
		super(message, advice, quote);
		this.payment = payment;
		this.status = status;
	}
}

/** What is known of the payment of a failed item, in a sentence for the user. */
export function describePayment({ payment, consoleName }: PaymentRecord): string {
	switch (payment) {
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
