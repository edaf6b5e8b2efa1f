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

export function createBox(name: string, content: Buffer[]): Buffer {
	const length = content.reduce((sum, part) => sum + part.length, 8);
	return Buffer.concat([encodeUint32(length), Buffer.from(name, 'latin1'), ...content]);
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
