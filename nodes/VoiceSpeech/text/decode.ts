/** By their first bytes, which win over what is announced. */
const byteOrderMarks: Array<[charset: string, mark: number[]]> = [
	['utf-8', [0xef, 0xbb, 0xbf]],
	['utf-16le', [0xff, 0xfe]],
	['utf-16be', [0xfe, 0xff]],
];

function charsetOf(bytes: Uint8Array, contentType: string): string {
	const marked = byteOrderMarks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
	const announced = /charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1];
	try {
		// UTF-8 where nothing is announced.
		return new TextDecoder(marked?.[0] ?? announced).encoding;
	} catch {
		return 'utf-8'; // a charset that nobody knows
	}
}

/** What stands at 0x80 to 0x9f of windows-1252. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Decodes; `fatal` throws for bytes that are no text in this charset. */
function decode(bytes: Uint8Array, charset: string, fatal: boolean, stream: boolean): string {
	const text = new TextDecoder(charset, { fatal }).decode(bytes, { stream });
	if (charset !== 'windows-1252') return text;
	// Node 20 and 22 take it for Latin-1, which has control characters there.
	return text.replace(/[\u0080-\u009f]/g, (control) =>
		windows1252.charAt(control.charCodeAt(0) - 0x80),
	);
}

/** @returns undefined for bytes that are no text in this charset */
function decodeStrictly(bytes: Uint8Array, charset: string, isWhole: boolean): string | undefined {
	try {
		return decode(bytes, charset, true, !isWhole);
	} catch {
		return undefined;
	}
}

/**
 * Decodes a text answer: by its byte order mark, else by its announced charset, else as UTF-8. What is not UTF-8
 * after all is taken for windows-1252, as browsers do, in which no byte is lost.
 *
 * @param contentType the answer's Content-Type
 * @param isWhole false where the bytes may end inside of a character
 */
export function decodeText(bytes: Uint8Array, contentType: string, isWhole = false): string {
	const charset = charsetOf(bytes, contentType);
	const text = decodeStrictly(bytes, charset, isWhole);
	return text ?? decode(bytes, charset === 'utf-8' ? 'windows-1252' : charset, false, false);
}

// eslint-disable-next-line no-control-regex
const controlCharacter = /[\u0000-\u0008\u000e-\u001a]/;

/**
 * Whether the first bytes of an answer are text: without control characters but those that part words and lines, and
 * valid in their charset, unless they are announced as text.
 */
export function isText(head: Uint8Array, contentType: string): boolean {
	const isValid = decodeStrictly(head, charsetOf(head, contentType), false) !== undefined;
	if (!isValid && !/^\s*(text\/|application\/(\S+\+)?(json|xml))/i.test(contentType)) return false;
	return !controlCharacter.test(decodeText(head, contentType));
}
