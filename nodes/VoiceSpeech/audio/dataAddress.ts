import { createCutDataAddressError, createDamagedDataAddressError } from '../errors/audioError';
import { maxDataAddressBytes } from '../limits';
import type { AudioReader, OpenAudio } from './reader';

/** What a base64 data address (RFC 2397) starts with; perhaps in quotes, as JSON has it. */
interface Prefix {
	/** Number of characters. */
	length: number;
	/** The declared type; empty if there is none. */
	mimeType: string;
}

/** Longest prefix in bytes. A name of a file may be among its parameters. */
const maxPrefixBytes = 300;

/** Reads the prefix of a data address, for example `data:audio/ogg;base64,`. */
export function readDataPrefix(text: string): Prefix | undefined {
	const start = text.slice(0, maxPrefixBytes);
	const pattern = /^(?:\u00ef\u00bb\u00bf)?\s*"?data:((?:[^,"]|"[^"]*")*);\s*base64,/i;
	const [prefix, mimeType = ''] = pattern.exec(start) ?? [];
	return prefix === undefined ? undefined : { length: prefix.length, mimeType };
}

/**
 * Reads the prefix of a data address that n8n's node Convert to File decoded as if it belonged to the base64 text, whose
 * other characters Node skips. Encoded again, it is for example `dataaudio/oggbase64`.
 */
function readDecodedPrefix(text: string): Prefix | undefined {
	const start = text.slice(0, maxPrefixBytes);
	const [prefix, type = ''] = /^data((?:[a-z]+\/\S*?)?)base64/.exec(start) ?? [];
	// The decoding reads a hyphen as a plus.
	const mimeType = type.replaceAll('+', '-');
	return prefix === undefined ? undefined : { length: prefix.length, mimeType };
}

/** `data` as base64, in the three bytes of which it is decoded. */
const decodedData = Buffer.from('data', 'base64');

/** Removes line breaks, and what a form or a URL has done to characters of base64. */
function cleanBase64(text: string): string {
	const lines = text.split(/[\r\n]/).map((line) => line.trim());
	// A form decodes a plus as a space.
	return lines
		.join('')
		.replace(/"$/, '')
		.replace(/%(2b|2f|3d)/gi, decodeURIComponent)
		.replaceAll(' ', '+');
}

/**
 * Decodes the base64 text of a data address. Decoding a prefix with it drops up to six bits at the end. They become 0, or
 * the last byte is missing, so that at most the last sample is wrong.
 *
 * @param name of the file
 * @throws {UserError} if it is not base64
 */
export function decodeAddressContent(text: string, name: string): Buffer {
	const characters = cleanBase64(text).replace(/={1,2}$/, '');
	// Node skips other characters, and ends at the first `=`.
	if (/[^\w+/-]/.test(characters)) throw createDamagedDataAddressError(name);
	return Buffer.from(characters.length % 4 === 1 ? `${characters}A` : characters, 'base64');
}

async function* yieldOnce(bytes: Buffer): AsyncGenerator<Buffer> {
	yield bytes;
}

/**
 * Decodes a file that consists of a data address, as text or as {@link readDecodedPrefix} describes.
 *
 * @returns undefined for any other file
 * @throws {UserError} if only the prefix is left, or if what follows is not base64; otherwise what reading the file throws
 */
export async function decodeDataAddress(reader: AudioReader): Promise<OpenAudio | undefined> {
	const { size = 0, declared } = reader;
	if (size > maxDataAddressBytes) return undefined;
	const head = (await reader.peek(maxPrefixBytes)).subarray(0, maxPrefixBytes);
	const isDecoded = head.subarray(0, decodedData.length).equals(decodedData);
	const encoding = isDecoded ? 'base64' : 'latin1';
	const readPrefix = isDecoded ? readDecodedPrefix : readDataPrefix;
	const start = head.toString(encoding);
	const prefix = readPrefix(start);
	if (prefix === undefined) {
		// The decoding ends at the `=` of a parameter, for example of `codecs=opus`.
		const isCut = isDecoded && head.length < maxPrefixBytes && /^data(audio|video)\//.test(start);
		if (isCut) throw createCutDataAddressError(declared.name);
		return undefined;
	}
	const text = (await reader.peek(size)).toString(encoding);
	const bytes = decodeAddressContent(text.slice(prefix.length), declared.name);
	const mimeType = prefix.mimeType || declared.mimeType;
	return {
		size: bytes.length,
		declared: { ...declared, mimeType },
		chunks: yieldOnce(bytes),
		close: () => reader.close(),
	};
}
