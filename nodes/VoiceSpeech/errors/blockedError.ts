import { UserError } from 'n8n-workflow';

import { createUserError } from './userError';

/**
 * An item was not sent, because the service refused the key, or its wallet, in the call of another item.
 *
 * @param index of the item that failed; n8n's own messages count from 0 too
 * @param reason the message of its error, without its key
 * @param wasSent whether this item was sent before, in this try of Retry On Fail or in an earlier one
 */
export function createRefusedKeyError(index: number, reason: string, wasSent: boolean): UserError {
	const again = wasSent ? ' again' : '';
	const position = index === 0 ? 'the first' : 'the first is item 0';
	return createUserError(
		`This item was not sent${again}, because item ${index} (${position}) was refused: ${reason}`,
		'Solve this first, then run the remaining items again.',
	);
}

/** The execution was canceled before the item was complete. n8n recognizes this by the word 'canceled' in the message. */
export class CanceledError extends UserError {
	constructor() {
		super('The execution was canceled');
	}
}
