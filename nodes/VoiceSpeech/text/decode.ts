/** A Content-Type without its parameters; empty if there is none. */
export function removeParameters(contentType: string): string {
	return contentType.replace(/;.*/, '').trim();
}

/**
 * Whether a body with this Content-Encoding is compressed. n8n's client removes the header if it decompresses the body.
 */
export function isCompressed(contentEncoding: string): boolean {
	return /gzip|compress|deflate|\bbr\b|zstd|\bdc[bz]\b/i.test(contentEncoding);
}

/** Byte order marks, which win over the declared charset. */
const byteOrderMarks: Array<[charset: string, mark: number[]]> = [
	['utf-8', [0xef, 0xbb, 0xbf]],
	['utf-16le', [0xff, 0xfe]],
	['utf-16be', [0xfe, 0xff]],
];

function detectCharset(bytes: Uint8Array, contentType: string): string {
	const marked = byteOrderMarks.find(([, mark]) =>
		mark.every((byte, index) => bytes[index] === byte),
	);
	const declared = /charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1];
	try {
		// UTF-8 if none is declared.
		return new TextDecoder(marked?.[0] ?? declared).encoding;
	} catch {
		// The declared charset is unknown.
		return 'utf-8';
	}
}

/** The characters 0x80 to 0x9f of windows-1252. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** @param isComplete false if the bytes may end inside a character */
function isValid(bytes: Uint8Array, charset: string, isComplete: boolean): boolean {
	try {
		new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: !isComplete });
		return true;
	} catch {
		return false;
	}
}

/**
 * Decodes the text of a file or a response. If its byte order mark, or else its declared charset, names a charset other
 * than UTF-8 and windows-1252 (or Latin-1), that one is used. Servers confuse these two. So otherwise, valid UTF-8 is
 * decoded as UTF-8, and anything else as windows-1252, which loses no byte.
 *
 * @param isComplete false if the bytes may end inside a character
 */
export function decodeText(bytes: Uint8Array, contentType: string, isComplete = false): string {
	const detected = detectCharset(bytes, contentType);
	const likely = isValid(bytes, 'utf-8', isComplete) ? 'utf-8' : 'windows-1252';
	const charset = ['utf-8', 'windows-1252'].includes(detected) ? likely : detected;
	const text = new TextDecoder(charset).decode(bytes, { stream: !isComplete });
	if (charset !== 'windows-1252') return text;
	// Node 20 and 22 decode it as Latin-1, which has control characters there.
	return text.replace(/[\u0080-\u009f]/g, (control) =>
		windows1252.charAt(control.charCodeAt(0) - 0x80),
	);
}

/**
 * Whether a text has control characters that only binary data has. Those are below ESC, which ISO 2022 uses, and are not
 * white space.
 */
function hasControlCharacters(text: string): boolean {
	for (const [character] of text.matchAll(/(?!\s)\p{Cc}/gu)) {
		if (character < '\u001b') return true;
	}
	return false;
}

export function isDeclaredAsText(contentType: string): boolean {
	return /^\s*(text\/|application\/(\S+\+)?(json|xml))/i.test(contentType);
}

/**
 * Whether the first bytes of a file or a response are text: valid in their charset or declared as text, and without the
 * control characters that only binary data has.
 */
export function isText(head: Uint8Array, contentType: string): boolean {
	const isDeclared = isDeclaredAsText(contentType);
	if (!isDeclared && !isValid(head, detectCharset(head, contentType), false)) return false;
	return !hasControlCharacters(decodeText(head, contentType));
}
