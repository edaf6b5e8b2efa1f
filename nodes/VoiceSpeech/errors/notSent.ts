import { CallError } from './callError';

/** @param wasSent the service refused the call before any work, and it waited to be repeated */
function notSent(wasSent: boolean, reason: string): string {
	return `This item was not sent${wasSent ? ' again' : ''}, because ${reason}`;
}

/**
 * An item that was not sent because the key or the wallet was refused for an earlier one.
 *
 * @param message of that item's error, without its key
 */
export function notSentBecause(index: number, message: string, wasSent: boolean): CallError {
	return new CallError(
		notSent(wasSent, `item ${index} was refused: ${message}`),
		'Solve this first, then run the remaining items again.',
	);
}

/** n8n rejected the run while it prepared a later item, and discards the results of this try. */
export function runRejected(wasSent: boolean): CallError {
	return new CallError(
		notSent(wasSent, 'n8n stopped the node while preparing another item'),
		'Check the expressions in the node: one of them fails for a later item.',
	);
}

/** n8n recognises a cancelled execution by the word 'canceled'. */
export function canceled(): CallError {
	return new CallError('The execution was canceled', '', { debit: 'possible' });
}

/** An error of n8n while it resolved a parameter or read the credential: with n8n's own words. */
export function notPrepared(error: unknown): CallError {
	const { message, description } = (error ?? {}) as { message?: string; description?: string };
	return new CallError(message || String(error), description ?? '');
}
