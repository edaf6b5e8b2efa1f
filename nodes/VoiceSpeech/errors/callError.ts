import type { DebitStatus } from '../service/debit';
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
