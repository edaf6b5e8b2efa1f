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

/** Extensions of texts, which may be in any alphabet. */
const textExtension =
	/\.(txt|text|asc|log|md|csv|tsv|tab|srt|vtt|sub|sbv|ass|ssa|lrc|ini|cfg|conf|json|jsonl|xml|html?|css|js|sql|ya?ml|eml|ics|vcf|nfo|tex|bat|rtf)$/i;

/** Types of texts, without those that n8n reports for unknown files. */
const textType = /^\s*(text\/|application\/(\S+\+)?(json|xml|rtf|sql|x-subrip|x-sh|x-tex|yaml))/i;

/** Whether the name or the type of a file declares a text. */
export function isDeclaredText({ name, mimeType }: { name: string; mimeType: string }): boolean {
	return textExtension.test(name.trim()) || textType.test(mimeType);
}

/** Share of ASCII among the characters of a language with the Latin alphabet. */
const minAsciiShare = 0.6;

/** Most texts have far more white space. In raw samples without control characters, it is a rare coincidence. */
const minWhiteSpaceShare = 0.01;

/**
 * Maximum number of different bytes in silence of 8-bit audio. Such silence may be valid text: in G.711, it consists of 'P'
 * to 'W' and 'x' to DEL.
 */
const maxSilentLevels = 16;

/** Whether bytes have more different values than silence of their length. */
export function hasMoreLevelsThanSilence(bytes: Uint8Array): boolean {
	// A word may have as few different bytes as silence, but each of them only a few times.
	return new Set(bytes).size > Math.min(maxSilentLevels, Math.sqrt(bytes.length));
}

/**
 * Whether the first bytes of a file are text in an encoding of 8 bits or of Asia. Raw samples of 8 bits may look like it.
 * So alphabets other than the Latin one also need a declared text.
 */
export function isEightBitText(head: Uint8Array, isDeclared: boolean): boolean {
	let whiteSpace = 0;
	let ascii = 0;
	for (const byte of head) {
		const isWhiteSpace = byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
		if (byte === 0x7f || (byte < 0x20 && !isWhiteSpace)) return false;
		if (isWhiteSpace) whiteSpace++;
		if (byte < 0x80) ascii++;
	}
	if (whiteSpace === 0 || !hasMoreLevelsThanSilence(head)) return false;
	if (isDeclared) return true;
	return ascii > minAsciiShare * head.length && whiteSpace >= minWhiteSpaceShare * head.length;
}

/** Share of letters, digits, punctuation and white space in a text in UTF-16 that is not declared as a text. */
const minReadableShare = 0.95;

/**
 * Whether the first bytes of a file are UTF-16 without a byte order mark: characters that exist, and some of them white
 * space. Raw samples have values of both signs, of which some do not exist or are control characters.
 */
export function isUnmarkedUtf16(head: Uint8Array, isDeclared: boolean): boolean {
	return ['utf-16le', 'utf-16be'].some((charset) => {
		const text = new TextDecoder(charset).decode(head, { stream: true });
		const isValid =
			/[ \t\r\n\u3000]/.test(text) && !/[\p{Cn}\p{Co}\p{Cs}\ufffd]|(?!\s)\p{Cc}/u.test(text);
		if (!isValid || isDeclared) return isValid;
		const readable = text.match(/[\p{L}\p{M}\p{N}\p{P}\s]/gu) ?? [];
		return readable.length >= minReadableShare * text.length && hasMoreLevelsThanSilence(head);
	});
}

/** Whether the first bytes of a file are UTF-32: a byte order mark, and characters that exist. */
export function isUtf32(head: Uint8Array): boolean {
	const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
	const isLittleEndian = bytes.toString('hex', 0, 4) === 'fffe0000';
	if (!isLittleEndian && bytes.toString('hex', 0, 4) !== '0000feff') return false;
	for (let offset = 4; offset + 4 <= bytes.length; offset += 4) {
		const code = isLittleEndian ? bytes.readUInt32LE(offset) : bytes.readUInt32BE(offset);
		if (code === 0 || code > 0x10ffff) return false;
	}
	return bytes.length > 4;
}
