import { maxTagBytes, maxTags } from '../limits';
import type { AudioReader } from './reader';

/** Lengths of the headers of tags in bytes (ID3v2.4 structure, 3.1; APEv2 specification). */
const id3HeaderBytes = 10;
const apeHeaderBytes = 32;

/** Minimum number of zeros in bytes. Fewer may be part of a box header of MP4. */
const minPadding = 8;

/** Length of an ID3v2 tag in bytes, with its footer (ID3v2.4 structure, 3.4); 0 if there is none. */
function readId3Length(bytes: Buffer): number {
	if (bytes.toString('latin1', 0, 3) !== 'ID3' || bytes.length < id3HeaderBytes) return 0;
	const version = bytes[3]!;
	const size = [...bytes.subarray(6, id3HeaderBytes)];
	if (version < 2 || version > 4 || size.some((byte) => byte > 127)) return 0;
	const hasFooter = (bytes[5]! & 0x10) !== 0;
	const footerBytes = hasFooter ? id3HeaderBytes : 0;
	return id3HeaderBytes + size.reduce((sum, byte) => sum * 128 + byte, 0) + footerBytes;
}

/** Length of an APEv2 tag with a header, in bytes; 0 if there is none. */
function readApeLength(bytes: Buffer): number {
	const isApe = bytes.toString('latin1', 0, 8) === 'APETAGEX' && bytes.length >= 16;
	return isApe ? apeHeaderBytes + bytes.readUInt32LE(12) : 0;
}

/** Length of a box without content before MP4 (ISO/IEC 14496-12, 8.1.2), in bytes; 0 if there is none. */
function readFreeBoxLength(bytes: Buffer): number {
	if (!/^(free|skip|wide)$/.test(bytes.toString('latin1', 4, 8))) return 0;
	const length = bytes.readUInt32BE(0);
	return length < 8 ? 0 : length;
}

/** How many zeros before `end` are the start of a box of MP4, whose length comes first (ISO/IEC 14496-12, 4.2). */
function countZerosOfBox(bytes: Buffer, end: number): number {
	const isBox = (start: number) =>
		/^(ftyp|styp|sidx|emsg|prft|moov|mdat|moof|uuid|free|skip|wide)$/.test(
			bytes.toString('latin1', start + 4, start + 8),
		);
	return [3, 2, 1].find((count) => isBox(end - count)) ?? 0;
}

/** Length of the zeros from `start` that are padding, in bytes; 0 if they are too few. */
function readZerosLength(bytes: Buffer, start: number): number {
	let end = start;
	while (bytes[end] === 0) end++;
	if (end - start < minPadding) return 0;
	return end - start - countZerosOfBox(bytes, end);
}

/**
 * Offset after the tags and the padding at the start, in bytes; beyond these bytes if a tag is longer.
 *
 * @param readBoxLength length of a box that is padding
 */
function skipTags(bytes: Buffer, readBoxLength: (header: Buffer) => number): number {
	let offset = 0;
	for (let count = 0; count < maxTags; count++) {
		const header = bytes.subarray(offset, offset + apeHeaderBytes);
		const tag = readId3Length(header) || readApeLength(header) || readBoxLength(header);
		const length = tag || readZerosLength(bytes, offset);
		if (length === 0) break;
		offset += length;
	}
	return offset;
}

/** Offset of the audio's signature in bytes, after the tags and the padding at the start; may be beyond these bytes. */
export function computeTagsEnd(bytes: Buffer): number {
	return skipTags(bytes, readFreeBoxLength);
}

/** Offset of the audio's container, in bytes. Unlike {@link computeTagsEnd}, the empty boxes of MP4 belong to it. */
export function computeContainerStart(bytes: Buffer): number {
	return skipTags(bytes, () => 0);
}

/** Offset in bytes after the tags and the padding at the start; undefined if they do not end within {@link maxTagBytes}. */
export async function findAudioStart(reader: AudioReader): Promise<number | undefined> {
	let length = apeHeaderBytes;
	for (;;) {
		const bytes = (await reader.peek(length)).subarray(0, maxTagBytes);
		const offset = computeTagsEnd(bytes);
		if (offset + apeHeaderBytes > maxTagBytes) return undefined;
		const isEntireFile = bytes.length < length;
		if (isEntireFile || offset + apeHeaderBytes <= bytes.length) return offset;
		// Doubled, so that a long run of zeros is not counted again and again.
		length = Math.min(maxTagBytes, Math.max(2 * bytes.length, offset + apeHeaderBytes));
	}
}
