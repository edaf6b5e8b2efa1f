import { decodeText, isText, withoutParameters } from '../text/decode';
import { formatAt, headLength, type Format } from './format';
import type { AudioReader } from './reader';
import { findAudio } from './tags';

/** Text of any kind (CSV, subtitles), which only its name and declared type tell apart. */
function plainText({ declared }: AudioReader): Format {
	const type = withoutParameters(declared.mimeType).toLowerCase();
	const isDeclared = /^text\/[\w.+-]+$/.test(type);
	const [name, mimeType] = isDeclared ? [type, type] : ['text', 'text/plain'];
	return { name, mimeType, extensions: [], kind: 'other' };
}

/** Different bytes in silence of 8-bit audio: the lowest eight levels of G.711 are 'P' to 'W', or 'x' to DEL. */
const maxSilentLevels = 16;

/** Silence of 8-bit audio may be valid text; it has few different bytes, and no white space. */
function isPlainText(head: Uint8Array): boolean {
	if (!isText(head, '')) return false;
	// 0xff is in the byte order mark of UTF-16, in which samples make any number of characters.
	const isUtf8 = !head.includes(0xff);
	const hasWords = /[ \t\r\n]/.test(decodeText(head, ''));
	return hasWords || (isUtf8 && new Set(head).size > maxSilentLevels);
}

/**
 * Recognises audio by its first bytes, also behind tags and padding.
 *
 * @returns undefined for what has no known signature, or shows it too far into the file
 */
export async function sniffFormat(reader: AudioReader): Promise<Format | undefined> {
	const offset = await findAudio(reader);
	if (offset === undefined) return undefined;
	const bytes = await reader.peek(offset + headLength);
	const found = formatAt(bytes.subarray(offset, offset + headLength));
	return found ?? (isPlainText(reader.head) ? plainText(reader) : undefined);
}
