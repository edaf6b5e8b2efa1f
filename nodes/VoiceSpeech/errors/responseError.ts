import type { IBinaryData } from 'n8n-workflow';

import { maxKeptTextBytes, maxQuoteLength } from '../limits';
import { type DebitStatus, isPartialContent } from '../service/statusMeaning';
import { isCompressed } from '../text/decode';
import { toStringOrEmpty } from '../text/json';
import { CallError } from './bases';
import { formatReason, joinTexts, quoteStartOfText, quoteText, toOneLine } from './quote';

/**
 * What a description adds if the request went through a proxy. n8n's client returns the proxy's own response to CONNECT as
 * if it were the service's, and the node cannot tell them apart.
 */
export const possibleProxyResponse =
	"The proxy of 'Proxy' in the request options may have sent this response.";

/** Adds to an error about a response that the proxy may have sent it. */
export function addPossibleProxyResponse(error: CallError): void {
	const description = joinTexts([error.description ?? '', possibleProxyResponse]);
	Object.assign(error, { description });
}

/** The content of a success response that cannot be used. It was paid for, so the failed item has it. */
export interface KeptContent {
	/** Without the key. */
	text?: string;
	/** Whether the text is longer than the node keeps. */
	isCut?: boolean;
	/** What is not text, as n8n stored it. */
	file?: IBinaryData;
}

/** Field of the failed item that has {@link KeptContent.file}. */
export const keptFileField = 'response';

/** The error for a success response that cannot be used. */
export class UnusableResponseError extends CallError {
	constructor(
		message: string,
		advice: string,
		facts: { debit: DebitStatus; quote: string },
		readonly kept: KeptContent,
	) {
		super(message, advice, facts);
	}
}

/** What a success response that cannot be used looks like. */
export interface UnusableResponse {
	contentType: string;
	/** Whether the service has sent it, and not something in between, and all of it arrived. */
	isPaid: boolean;
	kept: KeptContent;
}

/** Where the user finds the content of the response. */
function describeKept({ text, isCut, file }: KeptContent): string {
	if (file !== undefined) {
		return `If 'On Error' is a Continue setting, the item has the response as the file '${keptFileField}'.`;
	}
	if (text === undefined) return '';
	const part =
		isCut === true
			? `the first ${maxKeptTextBytes / 1024 ** 2} MiB of the response`
			: 'the response';
	return `If 'On Error' is a Continue setting, the item has ${part} in the field 'responseText'.`;
}

function createUnusableResponseError(
	message: string,
	advice: string,
	{ contentType, isPaid, kept }: UnusableResponse,
): UnusableResponseError {
	const quotes: string[] = [];
	if (kept.text !== undefined) {
		quotes.push(`The response starts with '${quoteStartOfText(kept.text)}'.`);
	}
	if (contentType !== '') {
		quotes.push(`The Content-Type of the response is ${quoteText(contentType)}.`);
	}
	return new UnusableResponseError(
		message,
		joinTexts([advice, describeKept(kept)]),
		{ debit: isPaid ? 'debited' : 'possible', quote: quotes.join(' ') },
		kept,
	);
}

/**
 * A success response of another kind than the operation promises.
 *
 * @param expected what the operation promises, for example `JSON`
 * @param found what it is instead, for example `HTML`
 */
export function createUnexpectedResponseError(
	expected: string,
	found: string,
	response: UnusableResponse,
): UnusableResponseError {
	const { text, file } = response.kept;
	const isEmpty = text === undefined && file === undefined;
	const what = isEmpty ? 'an empty response' : found;
	return createUnusableResponseError(
		`The service returned ${what} instead of ${expected}`,
		"Check the credential's 'Base URL', then ask your provider.",
		response,
	);
}

/** Why the body of a response cannot be used, regardless of its content, as the message of an error. */
export function describeBodyFault(status: number, contentEncoding: string): string | undefined {
	if (isPartialContent(status)) return 'The service returned only a part of the response (206)';
	if (!isCompressed(contentEncoding)) return undefined;
	return `The response is compressed (${toOneLine(contentEncoding, maxQuoteLength)}), and n8n cannot decompress it`;
}

/**
 * Explains a fault of n8n's client, which could not decompress a response, as the message of an error. The client ends such
 * a response, so the rest of it is lost. The service has sent it, and would probably send the same again.
 *
 * @param fault why the response could not be read to its end
 * @returns undefined for another fault
 */
export function describeDecompressionFault(fault: unknown): string | undefined {
	const { code, message } = (fault ?? {}) as { code?: unknown; message?: unknown };
	const isCompression = /^(Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_PADDING)/;
	if (!isCompression.test(toStringOrEmpty(code))) return undefined;
	return `The response cannot be decompressed (${formatReason({ code, message })})`;
}

/** @param bodyFault the message of {@link describeBodyFault} or {@link describeDecompressionFault} */
export function createBodyError(
	bodyFault: string,
	response: UnusableResponse,
): UnusableResponseError {
	return createUnusableResponseError(
		bodyFault,
		'Ask your provider, or whoever runs a proxy in between.',
		response,
	);
}

/** n8n could not store the file of a success response. The reason is in n8n's own words. */
export function createNotStoredError(reason: string): CallError {
	return new CallError(
		'The service returned the file, but n8n could not store it',
		`${reason.replace(/\.$/, '')}. Free storage space, or ask your n8n administrator to raise its limit, before you run this again.`,
		{ debit: 'debited' },
	);
}
