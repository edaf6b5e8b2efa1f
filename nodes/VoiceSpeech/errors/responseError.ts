import { maxQuoteLength } from '../limits';
import { isCompressed } from '../text/decode';
import { joinTexts } from '../text/strings';
import { CallError } from './callError';
import { quoteText, quoteVisibleStart, toOneLine } from './quote';
import { isPartialContent } from './statusMeaning';

/**
 * What a description adds if the request went through a proxy. n8n's client returns the proxy's own response to CONNECT as
 * if it were the service's, and the node cannot tell them apart.
 */
export const possibleProxyResponse =
	"The proxy of 'Proxy' in the request options may have sent this response.";

/** Adds to an error about a response that the proxy may have sent it, unless the service has certainly. */
export function addPossibleProxyResponse(error: CallError): void {
	if (error.debit === 'debited') return;
	const description = joinTexts([error.description ?? '', possibleProxyResponse]);
	Object.assign(error, { description });
}

/** A success response of another kind than the operation promises, for example `HTML` instead of `JSON`. */
export function createUnexpectedResponseError(
	expected: string,
	found: string,
	head: Uint8Array,
	contentType: string,
): CallError {
	const isEmpty = head.length === 0;
	const what = isEmpty ? 'an empty response' : found;
	const quotes: string[] = [];
	if (!isEmpty) {
		quotes.push(`The response starts with '${quoteVisibleStart(head, contentType)}'.`);
	}
	if (contentType !== '') {
		quotes.push(`The Content-Type of the response is ${quoteText(contentType)}.`);
	}
	return new CallError(
		`The service returned ${what} instead of ${expected}`,
		"Check the credential's 'Base URL', then ask your provider.",
		{ debit: 'possible', quote: quotes.join(' ') },
	);
}

/** Why the body of a response cannot be used, regardless of its content; undefined if it can. */
export function findBodyError(status: number, contentEncoding: string): CallError | undefined {
	const isPart = isPartialContent(status);
	if (!isPart && !isCompressed(contentEncoding)) return undefined;
	const message = isPart
		? 'The service returned only a part of the response (206)'
		: `The response is compressed (${toOneLine(contentEncoding, maxQuoteLength)}), and n8n cannot decompress it`;
	return new CallError(message, 'If it happens again, ask your provider.', { debit: 'possible' });
}

/** n8n could not store the file of a success response. The reason is in n8n's own words. */
export function createNotStoredError(reason: string): CallError {
	return new CallError(
		'The service returned the file, but n8n could not store it',
		`${reason.replace(/\.$/, '')}. Free storage space, or ask your n8n administrator to raise its limit, before you run this again.`,
		{ debit: 'debited' },
	);
}
