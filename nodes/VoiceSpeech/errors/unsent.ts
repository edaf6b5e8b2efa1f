import { CallError, nothingDebited } from './callError';

/** An item that was not sent, because an earlier one showed that it would fail too. */
export function unsentBecause(index: number, error: Error): CallError {
	return new CallError(
		`This item was not sent, because item ${index} was refused: ${error.message}`,
		`Every later call would be refused as well. ${nothingDebited}`,
	);
}

/**
 * n8n marks an execution as cancelled by this word.
 *
 * @param debit what the call may have cost
 */
export function cancelled(debit = nothingDebited): CallError {
	return new CallError('The execution was canceled', debit);
}
