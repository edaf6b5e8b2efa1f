import { decodeLength, decodeVint } from './ebml';

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
