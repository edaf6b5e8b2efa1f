import { textAt } from './bytes';
import { viewOf } from './headers/header';
import type { AudioReader } from './reader';

/** In bytes: how far into a file audio is looked for behind tags and padding. */
export const maxTagBytes = 1024 * 1024;

/** Number of tags and paddings in a row; real files have up to three. */
const maxTags = 8;

/** In bytes: the longest header of a tag, that of APEv2. */
const maxTagHeader = 32;

/** In bytes: fewer zeros may be part of a box header of MP4. */
const minPadding = 8;

/** Length of an ID3v2 tag in bytes (ID3v2.4 structure, 3.1); 0 if there is none. */
function id3Length(bytes: Uint8Array): number {
	const headerLength = 10;
	if (textAt(bytes, 0, 3) !== 'ID3' || bytes.length < headerLength) return 0;
	const [version = 0, , flags = 0, ...size] = bytes.subarray(3, headerLength);
	if (version < 2 || version > 4 || size.some((byte) => byte > 127)) return 0;
	const footer = flags & 0x10 ? headerLength : 0;
	return headerLength + size.reduce((sum, byte) => sum * 128 + byte, 0) + footer;
}

/** Length of an APEv2 tag with a header, in bytes; 0 if there is none. */
function apeLength(bytes: Uint8Array): number {
	const isApe = textAt(bytes, 0, 8) === 'APETAGEX' && bytes.length >= 16;
	return isApe ? maxTagHeader + viewOf(bytes).getUint32(12, true) : 0;
}

/** Length of a box without content in front of MP4 (ISO/IEC 14496-12, 8.1.2), in bytes; 0 if there is none. */
function freeBoxLength(bytes: Uint8Array): number {
	const length = /^(free|skip|wide)$/.test(textAt(bytes, 4, 4)) ? viewOf(bytes).getUint32(0) : 0;
	return length < 8 ? 0 : length;
}

/** Number of zero bytes from `start`. */
function paddingLength(bytes: Uint8Array, start: number): number {
	let end = start;
	while (bytes[end] === 0) end++;
	return end - start < minPadding ? 0 : end - start;
}

/** Offset behind the tags and the padding in front, in bytes; beyond these bytes if a tag is longer. */
export function endOfTags(bytes: Uint8Array): number {
	let offset = 0;
	for (let count = 0; count < maxTags; count++) {
		const header = bytes.subarray(offset, offset + maxTagHeader);
		const tag = id3Length(header) || apeLength(header) || freeBoxLength(header);
		const length = tag || paddingLength(bytes, offset);
		if (length === 0) break;
		offset += length;
	}
	return offset;
}

/**
 * Reads past the tags and the padding in front.
 *
 * @returns offset in bytes; undefined if they do not end within {@link maxTagBytes}
 */
export async function findAudio(reader: AudioReader): Promise<number | undefined> {
	let length = maxTagHeader;
	for (;;) {
		const bytes = (await reader.peek(length)).subarray(0, maxTagBytes);
		const offset = endOfTags(bytes);
		if (offset + maxTagHeader > maxTagBytes) return undefined;
		const isEntireFile = bytes.length < length;
		if (isEntireFile || offset + maxTagHeader <= bytes.length) return offset;
		// Doubled, so that a long run of zeros is not counted again and again.
		length = Math.min(maxTagBytes, Math.max(2 * bytes.length, offset + maxTagHeader));
	}
}
