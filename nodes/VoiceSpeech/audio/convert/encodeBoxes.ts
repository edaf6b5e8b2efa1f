// Encodes boxes of MP4 (ISO/IEC 14496-12, 4.2), their numbers, and descriptors (ISO/IEC 14496-1, 8.3.3).

export function encodeUint16(...values: number[]): Buffer {
	const bytes = Buffer.alloc(2 * values.length);
	values.forEach((value, index) => bytes.writeUInt16BE(value, 2 * index));
	return bytes;
}

export function encodeUint32(...values: number[]): Buffer {
	const bytes = Buffer.alloc(4 * values.length);
	values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index));
	return bytes;
}

export function encodeUint64(...values: number[]): Buffer {
	const bytes = Buffer.alloc(8 * values.length);
	values.forEach((value, index) => bytes.writeBigUInt64BE(BigInt(value), 8 * index));
	return bytes;
}

/** Many numbers of 32 bits, which are encoded when they are written, in steps. */
export interface NumberTable {
	/** In bytes. */
	length: number;
	/** Yields buffers of at most 64 KiB. */
	encode(): Generator<Buffer>;
}

/** Numbers that are encoded at a time. */
const numbersPerStep = 16 * 1024;

/** @param getNumber called for each index once, in order */
export function createNumberTable(
	count: number,
	getNumber: (index: number) => number,
): NumberTable {
	function* encode(): Generator<Buffer> {
		for (let first = 0; first < count; first += numbersPerStep) {
			const bytes = Buffer.alloc(4 * Math.min(numbersPerStep, count - first));
			for (let offset = 0; offset < bytes.length; offset += 4) {
				bytes.writeUInt32BE(getNumber(first + offset / 4), offset);
			}
			yield bytes;
		}
	}
	return { length: 4 * count, encode };
}

export function computeLength(parts: Array<Buffer | NumberTable>): number {
	return parts.reduce((sum, { length }) => sum + length, 0);
}

/** The parts of a box, some of which may be encoded later: its header and its content. */
export function wrapInBox<Part extends Buffer | NumberTable>(
	name: string,
	content: Part[],
): Array<Buffer | Part> {
	const header = Buffer.concat([
		encodeUint32(8 + computeLength(content)),
		Buffer.from(name, 'latin1'),
	]);
	return [header, ...content];
}

export function createBox(name: string, content: Buffer[]): Buffer {
	return Buffer.concat(wrapInBox(name, content));
}

/** A box that starts with a version and flags. */
export function createFullBox(
	name: string,
	content: Buffer[],
	{ version = 0, flags = 0 } = {},
): Buffer {
	return createBox(name, [encodeUint32((version << 24) | flags), ...content]);
}

/** A descriptor with a length of four bytes, as most tools write it. */
export function createDescriptor(tag: number, content: Buffer[]): Buffer {
	const bytes = Buffer.concat(content);
	const length = [
		((bytes.length >> 21) & 127) | 128,
		((bytes.length >> 14) & 127) | 128,
		((bytes.length >> 7) & 127) | 128,
		bytes.length & 127,
	];
	return Buffer.concat([Buffer.from([tag, ...length]), bytes]);
}
