import { UserError } from 'n8n-workflow';

/**
 * Whether a request that failed was debited.
 * - `none`: no, it provably never left n8n.
 * - `possible`: unknown, it may have reached the service.
 * - `certain`: yes, the service responded with a success that n8n could not store.
 */
export type Debit = 'none' | 'possible' | 'certain';

/** Whether every later call would fail in the same way: the service refused the key (401) or the wallet (402). */
export function failsAllItems(status: number | undefined): boolean {
	return status === 401 || status === 402;
}

/**
 * Whether a status means that the request was refused before any work: 429 (RFC 6585, 4), or 503 with Retry-After
 * (RFC 9110, 15.6.4). The service documents no status codes.
 */
export function isRefusedBeforeWork(status: number, retryAfter: number | undefined): boolean {
	return status === 429 || (status === 503 && retryAfter !== undefined);
}

/** A call that failed. n8n shows its message, then its description: the advice, and whether it was debited. */
export class CallError extends UserError {
	/** Undefined if the service refused the request, or if there was none. */
	readonly debit: Debit | undefined;

	/** HTTP status of the service's response. */
	readonly status: number | undefined;

	/**
	 * @param message what happened, with the service's own words where it sent any
	 * @param advice what to do next, in complete sentences; may be empty
	 */
	constructor(
		message: string,
		advice: string,
		{ debit, status }: { debit?: Debit; status?: number } = {},
	) {
		super(message, { description: advice });
		this.debit = debit;
		this.status = status;
	}
}

/**
 * Whether a failed item was debited, in sentences for the user.
 *
 * @param mayBeDebited whether any request of the item may have been debited, in this try of the node run or an earlier
 * one; undefined if none has left n8n
 * @param retryOnFail whether n8n's Retry On Fail is on for the node
 * @returns empty if nothing can be said: the service does not document whether a call that it refuses is debited
 */
export function debitStatement(
	error: unknown,
	mayBeDebited: boolean | undefined,
	retryOnFail: boolean,
): string {
	if (mayBeDebited === undefined) return 'Nothing was sent, so nothing was debited.';
	if (!mayBeDebited) return '';
	const statement =
		error instanceof CallError && error.debit === 'certain'
			? 'The service accepted the call, so it was debited.'
			: "The call may have been debited: check the usage dashboard in the service's console before you send it again.";
	return retryOnFail
		? `${statement} With 'Retry On Fail', n8n sends it again, and it may be debited again.`
		: statement;
}
