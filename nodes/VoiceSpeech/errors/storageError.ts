import { CallError } from './callError';

/**
 * n8n could not store the file of a successful response.
 *
 * @param reason n8n's own words, for example that the disk is full
 */
export function notStored(reason: string): CallError {
	return new CallError(
		'The service returned the file, but n8n could not store it',
		`${reason.replace(/\.$/, '')}. Free storage space, or ask your n8n administrator to raise its limit, before you run this again.`,
		{ debit: 'certain' },
	);
}
