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

/**
 * Whether the first bytes of a declared text are UTF-16 without a byte order mark: characters that exist, and some of them
 * white space.
 */
export function isUnmarkedUtf16(head: Uint8Array): boolean {
	return ['utf-16le', 'utf-16be'].some((charset) => {
		const text = new TextDecoder(charset).decode(head, { stream: true });
		return /[ \t\r\n\u3000]/.test(text) && !/[\p{Cn}\p{Co}\p{Cs}\ufffd]|(?!\s)\p{Cc}/u.test(text);
	});
}
