import type { NamedValue } from '../descriptions/options';
import { headerNotAllowed, invalidHeader } from '../errors/inputError';

/** Headers that the node, the credential or n8n's client sets. Another value would make another request. */
const reservedNames = [
	'connection',
	'content-length',
	'content-type',
	'expect',
	'host',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
	'x-api-key',
];

/** The characters of a header's name (RFC 9110, 5.6.2). */
const validName = /^[!#$%&'*+.^_`|~\w-]+$/;

/** The characters of a header's value that Node sends (RFC 9110, 5.5). */
const validValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Throws UserError for a row of 'Headers' that cannot be sent. */
export function checkHeaders(headers: NamedValue[]): void {
	for (const { name, value } of headers) {
		if (!validName.test(name) || !validValue.test(value)) throw invalidHeader(name);
		if (reservedNames.includes(name.toLowerCase())) throw headerNotAllowed(name);
	}
}
