import { decodeText } from '../text/decode';
import { CallError, maybeDebited } from './callError';
import { oneLine } from './oneLine';

/** How much of an answer is quoted, in characters. */
const quoted = 200;

/** The first characters of an answer, fit for a sentence. */
export function beginningOf(bytes: Uint8Array, contentType = ''): string {
	return oneLine(decodeText(bytes.subarray(0, quoted * 4), contentType), quoted);
}

/**
 * The error for an answer of another kind than the operation promises.
 *
 * @param expected for example `JSON`
 * @param found for example `HTML`, or nothing where the bytes tell nothing
 */
export function unusableAnswer(
	expected: string,
	found: string | undefined,
	bytes: Uint8Array,
	announced: string,
): CallError {
	const said = announced === '' ? '' : `, announced as '${announced}'`;
	if (bytes.length === 0) {
		return new CallError(
			`The service answered with nothing where ${expected} was due${said}`,
			`The call was accepted. ${maybeDebited}`,
		);
	}
	return new CallError(
		`The service answered with ${found ?? 'something else'} where ${expected} was due${said}`,
		`It begins: ${beginningOf(bytes, announced)} — The call was accepted. ${maybeDebited}`,
	);
}
