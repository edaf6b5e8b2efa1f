import { maskApiKey } from '../../../credentials/maskApiKey';
import { CallError } from './callError';

/**
 * An item that was not sent, because another one failed.
 *
 * @param index of the item that failed
 * @param message of its error
 * @param apiKey hidden in the message
 * @param wasSent the service refused this item before any work, and it waited to be repeated
 */
export function notSentError(
	index: number,
	message: string,
	apiKey: string | undefined,
	wasSent: boolean,
): CallError {
	const again = wasSent ? ' again' : '';
	const reason = apiKey === undefined ? message : maskApiKey(message, apiKey);
	return new CallError(
		`This item was not sent${again}, because item ${index} was refused: ${reason}`,
		'Solve this first, then run the remaining items again.',
	);
}

/** The message by which n8n recognizes a canceled execution. */
export const canceledMessage = 'The execution was canceled';

/** The execution was canceled before the item was complete. */
export function canceledError(): CallError {
	return new CallError(canceledMessage, '');
}

/** An error of n8n while it resolved a parameter or read the credential, in n8n's own words. */
export function notPreparedError(error: unknown): CallError {
	const { message, description } = (error ?? {}) as { message?: string; description?: string };
	return new CallError(message || String(error), description ?? '');
}
