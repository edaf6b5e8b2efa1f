import {
	createCutDataAddressError,
	createDamagedDataAddressError,
	createLongDataAddressError,
} from '../errors/audioError';
import { maxDataAddressBytes } from '../limits';
import { type AudioReader, type OpenAudio, yieldAll } from './reader';

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
function readDataPrefix(text: string): Prefix | undefined {
	const start = text.slice(0, maxPrefixBytes);
	// Chromium's MediaRecorder declares `codecs=vp8,opus` without quotes.
	const pattern = /^(?:\u00ef\u00bb\u00bf)?\s*"?data:([^]*?);\s*base64,/i;
	const [prefix, mimeType = ''] = pattern.exec(start) ?? [];
	return prefix === undefined ? undefined : { length: prefix.length, mimeType };
}

/** Whether a text is a data address, and not base64 only. */
export function isDataAddress(text: string): boolean {
	return readDataPrefix(text) !== undefined;
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

/** Bytes that are decoded at a time. Three of them are four characters of base64. */
const stepBytes = 3 * 64 * 1024;

/** How many characters at the end of a step wait for the next one. A text may end with `%3D%3D"`. */
const waitingLength = 7;

/** Shows that the spaces of a text are layout, and not pluses, which a form decodes as spaces. */
const plusOrUrlAlphabet = /[+_-]|%2b/i;

/**
 * Removes line breaks, and what a form or a URL has done to characters of base64.
 *
 * @param space what replaces a space
 */
function cleanBase64(text: string, space: string): string {
	return text
		.replace(/[\t\r\n]/g, '')
		.replaceAll(' ', space)
		.replace(/%(2b|2f|3d)/gi, decodeURIComponent);
}

/** Where a step ends: in front of what waits, and of a character that is escaped and would be cut. */
function findStepEnd(text: string): number {
	const end = text.length - waitingLength;
	const escape = text.lastIndexOf('%', end - 1);
	return escape > end - 3 ? escape : end;
}

/**
 * Decodes the base64 text of a data address. Decoding a prefix with it drops up to six bits at the end. They become 0, or
 * the last byte is missing, so that at most the last sample is wrong.
 *
 * @param encoding by which the bytes of the file become the text
 * @param prefixLength in characters
 * @param yieldToEventLoop called between the steps
 * @throws {UserError} if it is not base64; otherwise what reading the file throws
 */
async function decodeBase64(
	reader: AudioReader,
	encoding: 'base64' | 'latin1',
	prefixLength: number,
	yieldToEventLoop: () => Promise<void>,
): Promise<Buffer[]> {
	const parts: Buffer[] = [];
	const start = (await reader.peek(stepBytes)).toString(encoding).slice(prefixLength);
	const space = plusOrUrlAlphabet.test(start) ? '' : '+';
	let text = '';
	let characters = '';
	for (;;) {
		await yieldToEventLoop();
		const bytes = await reader.read(stepBytes);
		const isLast = bytes.length < stepBytes;
		text += bytes.toString(encoding);
		if (parts.length === 0) text = text.slice(prefixLength);
		const stepEnd = isLast ? text.trimEnd().length : findStepEnd(text);
		characters += cleanBase64(text.slice(0, stepEnd), space);
		if (isLast) characters = characters.replace(/={0,2}"?$/, '');
		// Node skips other characters, and ends at the first `=`.
		if (/[^\w+/-]/.test(characters)) throw createDamagedDataAddressError(reader.declared.name);
		if (isLast) {
			const isCut = characters.length % 4 === 1;
			parts.push(Buffer.from(isCut ? `${characters}A` : characters, 'base64'));
			return parts;
		}
		const end = characters.length - (characters.length % 4);
		parts.push(Buffer.from(characters.slice(0, end), 'base64'));
		characters = characters.slice(end);
		text = text.slice(stepEnd);
	}
}

/**
 * Decodes a file that consists of a data address, as text or as {@link readDecodedPrefix} describes.
 *
 * @param yieldToEventLoop called regularly while a long one is decoded
 * @returns undefined for any other file
 * @throws {UserError} if only the prefix is left, if it is too long, or if what follows is not base64; otherwise what
 * reading the file throws
 */
export async function decodeDataAddress(
	reader: AudioReader,
	yieldToEventLoop: () => Promise<void>,
): Promise<OpenAudio | undefined> {
	const { size = 0, declared } = reader;
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
	if (size > maxDataAddressBytes) throw createLongDataAddressError(declared.name);
	const parts = await decodeBase64(reader, encoding, prefix.length, yieldToEventLoop);
	return {
		size: parts.reduce((sum, { length }) => sum + length, 0),
		declared: { ...declared, mimeType: prefix.mimeType || declared.mimeType },
		chunks: yieldAll(parts),
		isDecoded: true,
		close: () => reader.close(),
	};
}
