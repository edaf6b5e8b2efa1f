import type { NamedValue } from '../descriptions/optionKinds';
import {
	createDuplicateHeaderError,
	createHeaderNotAllowedError,
	createInvalidHeaderError,
} from '../errors/inputError';

/** Headers that the node, the credential or n8n's client sets, so that the user cannot, in lower case. */
const reservedHeaders = [
	'accept-encoding',
	'connection',
	'content-length',
	'content-type',
	'host',
	'x-api-key',
];

/** Headers that change how a request is transferred (RFC 9110, 6.6.2, 7.8 and 10.1; RFC 9112, 6.1), in lower case. */
const transferHeaders = ['expect', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

/**
 * Names that n8n's client does not send, in lower case. For axios, they are settings of a method, or could change an
 * object's prototype (axios 1.18.0).
 */
const droppedHeaders = [
	'__proto__',
	'common',
	'constructor',
	'delete',
	'get',
	'head',
	'patch',
	'post',
	'prototype',
	'put',
	'query',
];

/** The characters of a header's name (RFC 9110, 5.6.2). */
const validHeaderName = /^[!#$%&'*+.^_`|~\w-]+$/;

/** The characters of a header's value that Node sends (RFC 9110, 5.5). */
const validHeaderValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** @throws {UserError} for a row of 'Headers' that cannot be sent */
export function checkHeaders(headers: NamedValue[]): void {
	const lowerCaseNames = new Set<string>();
	for (const { name, value } of headers) {
		if (!validHeaderName.test(name) || !validHeaderValue.test(value)) {
			throw createInvalidHeaderError(name);
		}
		const lowerCaseName = name.toLowerCase();
		if (reservedHeaders.includes(lowerCaseName)) {
			throw createHeaderNotAllowedError(name, 'The node sets this header itself.');
		}
		if (transferHeaders.includes(lowerCaseName)) {
			throw createHeaderNotAllowedError(name, 'It would change how the request is transferred.');
		}
		if (droppedHeaders.includes(lowerCaseName)) {
			throw createHeaderNotAllowedError(name, 'n8n does not send a header with this name.');
		}
		if (lowerCaseNames.has(lowerCaseName)) throw createDuplicateHeaderError(name);
		lowerCaseNames.add(lowerCaseName);
	}
}
