import { CallError } from './callError';
import { quoteStart } from './quote';

/** A success response of another kind than the operation promises: for example, `HTML` instead of `JSON`. */
export function unexpectedResponse(
	expected: string,
	found: string,
	head: Uint8Array,
	contentType: string,
): CallError {
	const what = head.length === 0 ? 'an empty response' : found;
	const start =
		head.length === 0 ? '' : ` The response starts with '${quoteStart(head, contentType)}'.`;
	const declared = contentType === '' ? '' : ` Its Content-Type is '${contentType}'.`;
	return new CallError(
		`The service returned ${what} instead of ${expected}`,
		`Check the credential's 'Base URL', then ask your provider.${start}${declared}`,
		{ debit: 'possible' },
	);
}

/** n8n could not store the file of a success response. The reason is in n8n's own words. */
export function notStored(reason: string): CallError {
	return new CallError(
		'The service returned the file, but n8n could not store it',
		`${reason.replace(/\.$/, '')}. Free storage space, or ask your n8n administrator to raise its limit, before you run this again.`,
		{ debit: 'certain' },
	);
}
