import { decodeText } from '../text/decode';

/** Line breaks, control characters, and characters that change the direction of what follows. */
const unprintable = /[\s\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u200b\ufeff\ufffd]+/gu;

/** Someone else's text on one line, cut to a maximum length in characters. */
export function toOneLine(text: string, maxLength: number): string {
	const line = text.replace(unprintable, ' ').trim();
	const characters = [...line];
	return characters.length > maxLength ? `${characters.slice(0, maxLength).join('')}…` : line;
}

/** Longest quote of a file or response, in characters. */
export const maxQuote = 200;

/** The first characters of a file or response, on one line. */
export function quoteStart(bytes: Uint8Array, contentType = ''): string {
	// A character of UTF-8 has at most four bytes.
	const start = bytes.subarray(0, 4 * maxQuote);
	return toOneLine(decodeText(start, contentType), maxQuote);
}
