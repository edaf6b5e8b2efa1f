import { createDamagedError } from '../../errors/audioError';
import { maxSmallBoxes, minBytesPerBox } from '../../limits';
import type { ForwardReader } from '../../streams/forwardReader';

// Names, layouts and section numbers are those of ISO/IEC 14496-12.

/** Maximum number of boxes to read in one box. Files have up to a few hundred, which are the tracks of a long film. */
const maxBoxes = 1000;

/** The header of a box (4.2). */
export interface BoxHeader {
	name: string;
	/** Length of this header in bytes. */
	headerLength: number;
	/** In bytes; Infinity if the box extends to the end of its parent. */
	contentLength: number;
}

/**
 * Reads the header of the box that these bytes start with.
 *
 * @returns undefined if it is cut off, or invalid
 */
function readBoxHeader(bytes: Buffer): BoxHeader | undefined {
	if (bytes.length < 8) return undefined;
	const name = bytes.toString('latin1', 4, 8);
	let boxLength = bytes.readUInt32BE(0);
	if (boxLength === 0) return { name, headerLength: 8, contentLength: Infinity };
	let headerLength = 8;
	// The length has 64 bits.
	if (boxLength === 1) {
		if (bytes.length < 16) return undefined;
		boxLength = Number(bytes.readBigUInt64BE(8));
		headerLength = 16;
	}
	if (boxLength < headerLength) return undefined;
	return { name, headerLength, contentLength: boxLength - headerLength };
}

/** A box of a file. */
export interface FileBox extends BoxHeader {
	/** Offset of its header in the file, in bytes. */
	start: number;
	/** Offset of its content in the file, in bytes. */
	contentStart: number;
}

/**
 * Walks through the boxes of a file, up to its end, or to where no box can be. Content that is not read is skipped.
 *
 * @param fileStart offset of the first box in bytes
 * @throws {ConversionError} if there are suspiciously many boxes for the bytes that were read
 */
export async function* walkBoxes(
	reader: Pick<ForwardReader, 'peekAt'>,
	fileStart = 0,
): AsyncGenerator<FileBox> {
	let start = fileStart;
	for (let count = 1; ; count++) {
		if (count > maxSmallBoxes + start / minBytesPerBox) throw createDamagedError();
		const header = readBoxHeader(await reader.peekAt(start, 16));
		if (header === undefined) return;
		const contentStart = start + header.headerLength;
		yield { ...header, start, contentStart };
		start = contentStart + header.contentLength;
	}
}

/** Reads the numbers of a box, one after the other. */
export class NumberReader {
	constructor(
		private readonly bytes: Buffer,
		private offset = 0,
	) {}

	/** @throws {ConversionError} at the end */
	next(): number {
		if (this.offset + 4 > this.bytes.length) throw createDamagedError();
		const value = this.bytes.readUInt32BE(this.offset);
		this.offset += 4;
		return value;
	}

	/** @throws {ConversionError} at the end */
	nextLong(): number {
		return this.next() * 2 ** 32 + this.next();
	}

	skip(length: number): void {
		this.offset += length;
	}
}

interface Box {
	name: string;
	content: Buffer;
}

/**
 * The boxes inside another one, in order. The last one may be cut off.
 *
 * @throws {ConversionError} if there are more than `maxCount`
 */
export function* listBoxes(content: Buffer, maxCount = maxBoxes): Generator<Box> {
	let offset = 0;
	let count = 0;
	while (offset < content.length) {
		const header = readBoxHeader(content.subarray(offset, offset + 16));
		if (header === undefined) return;
		count++;
		if (count > maxCount) throw createDamagedError();
		const start = offset + header.headerLength;
		const end = start + header.contentLength;
		yield { name: header.name, content: content.subarray(start, end) };
		offset = end;
	}
}

function findInnerBox(content: Buffer, name: string): Buffer | undefined {
	for (const box of listBoxes(content)) {
		if (box.name === name) return box.content;
	}
	return undefined;
}

/**
 * Finds the content of the first box by the names of the boxes around it and its own, e.g. `mdia/hdlr`.
 *
 * @throws {ConversionError} if too many boxes are in front of one of these
 */
export function findBox(content: Buffer, path: string): Buffer | undefined {
	let found: Buffer | undefined = content;
	for (const name of path.split('/')) {
		if (found !== undefined) found = findInnerBox(found, name);
	}
	return found;
}
