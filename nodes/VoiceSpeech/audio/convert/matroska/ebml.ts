// Section numbers are those of RFC 8794.

/**
 * @param first byte of a number of variable length (4)
 * @returns the length of the number in bytes; 9 if it is invalid
 */
function decodeLength(first: number): number {
	return Math.clz32(first) - 23;
}

/** A number of variable length, without its marker. */
function decodeVint(bytes: Buffer): number {
	const length = bytes.length;
	let value = bytes[0]! & (0xff >> length);
	let isUnknown = value === 0xff >> length;
	for (let offset = 1; offset < length; offset++) {
		const byte = bytes[offset]!;
		value = value * 256 + byte;
		isUnknown &&= byte === 0xff;
	}
	// If all bits are set, the size is unknown.
	return isUnknown ? Infinity : value;
}

/** Maximum length of a number of variable length, in bytes. */
export const maxVintBytes = 8;

/**
 * Decodes the number of variable length (4) that these bytes start with.
 *
 * @returns its value, which is Infinity if all bits are set, and its length in bytes; undefined if it is cut off or invalid
 */
export function findVint(bytes: Buffer): { value: number; length: number } | undefined {
	const length = decodeLength(bytes[0] ?? 0);
	if (length > maxVintBytes || length > bytes.length) return undefined;
	return { value: decodeVint(bytes.subarray(0, length)), length };
}

/** Maximum length of the header of an element, in bytes. */
export const maxHeaderBytes = 12;

/** The header of an element (5 and 6). */
export interface ElementHeader {
	/** With its marker. */
	id: number;
	/** Length of this header in bytes. */
	headerLength: number;
	/** In bytes; Infinity if it is unknown. */
	contentLength: number;
}

/**
 * Decodes the header of the element that these bytes start with.
 *
 * @returns undefined if it is cut off, or invalid
 */
export function decodeElementHeader(bytes: Buffer): ElementHeader | undefined {
	const idLength = decodeLength(bytes[0] ?? 0);
	const sizeLength = decodeLength(bytes[idLength] ?? 0);
	const headerLength = idLength + sizeLength;
	if (idLength > 4 || sizeLength > 8 || headerLength > bytes.length) return undefined;
	return {
		id: bytes.readUIntBE(0, idLength),
		headerLength,
		contentLength: decodeVint(bytes.subarray(idLength, headerLength)),
	};
}

/** The elements inside an element that was read. */
export function* listElements(content: Buffer): Generator<{ id: number; content: Buffer }> {
	let offset = 0;
	while (offset < content.length) {
		const header = decodeElementHeader(content.subarray(offset));
		if (header === undefined) return;
		const start = offset + header.headerLength;
		const end = start + header.contentLength;
		yield { id: header.id, content: content.subarray(start, Math.min(end, content.length)) };
		offset = end;
	}
}

/** Decodes a number of up to eight bytes (7.2). */
export function decodeUnsigned(content: Buffer): number {
	if (content.length === 0 || content.length > 8) return 0;
	return Number(`0x${content.toString('hex')}`);
}

// A block may contain several packets, whose lengths are in front of them ("lacing", RFC 9559, 10.3).

/** The lengths of all packets but the last, and where the first starts. */
interface Lacing {
	sizes: number[];
	start: number;
}

/** Offset of the number of packets less one, after the timestamp and the flags. */
const countOffset = 3;
const sizesOffset = 4;

/** Each length is the sum of bytes up to one that is not 255. */
function readXiphLacing(block: Buffer, count: number): Lacing {
	const sizes: number[] = [];
	let start = sizesOffset;
	while (sizes.length < count - 1) {
		let size = 0;
		let byte = 255;
		while (byte === 255) {
			byte = block[start] ?? 0;
			size += byte;
			start++;
		}
		sizes.push(size);
	}
	return { sizes, start };
}

/**
 * All packets have the same length.
 *
 * @returns undefined if the block cannot be divided so
 */
function readFixedLacing(block: Buffer, count: number): Lacing | undefined {
	const size = (block.length - sizesOffset) / count;
	if (!Number.isInteger(size)) return undefined;
	return { sizes: new Array<number>(count - 1).fill(size), start: sizesOffset };
}

/**
 * All lengths but the first are differences to the one before.
 *
 * @returns undefined if the block is too short
 */
function readEbmlLacing(block: Buffer, count: number): Lacing | undefined {
	const sizes: number[] = [];
	let start = sizesOffset;
	while (sizes.length < count - 1) {
		const length = decodeLength(block[start] ?? 0);
		if (length > 8 || start + length > block.length) return undefined;
		const value = decodeVint(block.subarray(start, start + length));
		start += length;
		const previous = sizes.at(-1);
		// Differences are stored with an offset that makes them positive.
		const offset = 2 ** (7 * length - 1) - 1;
		sizes.push(previous === undefined ? value : previous + value - offset);
	}
	return { sizes, start };
}

/**
 * @param kind of the lacing, in the flags of the block
 * @returns undefined if the block is damaged
 */
function readLacing(block: Buffer, kind: number): Lacing | undefined {
	const count = (block[countOffset] ?? 0) + 1;
	if (kind === 1) return readXiphLacing(block, count);
	if (kind === 2) return readFixedLacing(block, count);
	return readEbmlLacing(block, count);
}

/**
 * @param block from its timestamp on
 * @returns its packets; none if it is damaged
 */
export function splitBlock(block: Buffer): Buffer[] {
	if (block.length < countOffset) return [];
	const kind = (block[2]! >> 1) & 3;
	if (kind === 0) return [block.subarray(countOffset)];
	const lacing = readLacing(block, kind);
	if (lacing === undefined) return [];
	const packets: Buffer[] = [];
	let offset = lacing.start;
	for (const size of lacing.sizes) {
		if (!(size >= 0) || offset + size > block.length) return [];
		packets.push(block.subarray(offset, offset + size));
		offset += size;
	}
	if (offset > block.length) return [];
	packets.push(block.subarray(offset));
	return packets;
}
