import { UserError } from 'n8n-workflow';

/*
 * Why the node does not start a call, or stops it. call/makeCall.ts knows what each means for the payment.
 */

function createStopError(message: string, advice = ''): UserError {
	return new UserError(message, { description: advice });
}

/**
 * An item was not sent, because another one failed.
 *
 * @param index of the item that failed; n8n's own messages count from 0 too
 * @param reason the message of its error, without its key
 * @param wasSent the service refused this item before any work, and it waited to be repeated
 */
export function createBlockedError(index: number, reason: string, wasSent: boolean): UserError {
	const again = wasSent ? ' again' : '';
	return createStopError(
		`This item was not sent${again}, because item ${index} (counted from 0) was refused: ${reason}`,
		'Solve this first, then run the remaining items again.',
	);
}

/** The message by which n8n recognizes a canceled execution. */
export const canceledMessage = 'The execution was canceled';

/** The execution was canceled before the item was complete. */
export function createCanceledError(): UserError {
	return createStopError(canceledMessage);
}

/** An error of n8n while it resolved a parameter or read the credential, in n8n's own words. */
export function createNotPreparedError(error: unknown): UserError {
	const { message, description } = (error ?? {}) as { message?: string; description?: string };
	return createStopError(message || String(error), description);
}

/** The audio could not be opened, or its first bytes could not be read. Nothing was sent. */
export function createAudioNotReadableError(reason: string): UserError {
	return createStopError(
		'The audio could not be read',
		`Check that the file, or the server it comes from, is still available (${reason}).`,
	);
}

/** Reading the audio failed during the upload. */
export function createAudioReadFailedError(reason: string): UserError {
	return createStopError(
		'The audio could not be read to its end',
		`The upload was stopped. Check that the file, or the server it comes from, is still available (${reason}).`,
	);
}

/** The phases of a call that have a time limit. */
export type CallPhase = 'opening' | 'upload' | 'responseStart' | 'response';

/** A phase of a call exceeded its limit. */
export function createTimeoutError(phase: CallPhase, limitSeconds: number): UserError {
	switch (phase) {
		case 'opening':
			return createStopError(
				`The audio stalled for ${limitSeconds} seconds before the upload began`,
				'Check the server that the audio comes from.',
			);
		case 'upload':
			return createStopError(
				`The upload stalled for ${limitSeconds} seconds and was stopped`,
				'Check the network, and the server that the audio comes from.',
			);
		case 'responseStart':
			return createStopError(
				`The service did not respond within ${limitSeconds} seconds after the upload`,
				"For long recordings, raise the option 'Response Timeout (Seconds)'.",
			);
		case 'response':
			return createStopError(
				`The response stalled for ${limitSeconds} seconds and was stopped`,
				'Try again later.',
			);
	}
}
