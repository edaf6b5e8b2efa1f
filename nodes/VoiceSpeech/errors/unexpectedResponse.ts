import { decodeText } from '../text/decode';
import { CallError } from './callError';
import { oneLine } from './oneLine';

/** Longest quote of a response, in characters. */
const maxQuote = 200;

/** A UTF-8 character has at most this many bytes. */
const maxBytesPerCharacter = 4;

/** The first characters of a text in bytes, on one line. */
export function quoteStart(bytes: Uint8Array, contentType = ''): string {
	const start = bytes.subarray(0, maxQuote * maxBytesPerCharacter);
	return oneLine(decodeText(start, contentType), maxQuote);
}

/**
 * The error for a success response of another kind than the operation promises.
 *
 * @param expected for example `JSON`
 * @param found what the first bytes are, for example `HTML`; undefined where they are not recognised
 * @param contentType as the service declared it; may be empty
 */
export function unexpectedResponse(
	expected: string,
	found: string | undefined,
	bytes: Uint8Array,
	contentType: string,
): CallError {
	const declared = contentType === '' ? '' : ` (Content-Type '${contentType}')`;
	const what = bytes.length === 0 ? 'nothing' : (found ?? 'something else');
	const quote = bytes.length === 0 ? '' : `It starts with: ${quoteStart(bytes, contentType)} —`;
	return new CallError(
		`The service returned ${what} instead of ${expected}${declared}`,
		`${quote} Ask your provider.`.trim(),
		{ debit: 'possible' },
	);
}
