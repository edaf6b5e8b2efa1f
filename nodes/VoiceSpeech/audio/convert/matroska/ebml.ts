// Section numbers are those of RFC 8794.

/**
 * @param first byte of a number of variable length (4)
 * @returns the length of the number in bytes; 9 if it is invalid
 */
export function decodeLength(first: number): number {
	return Math.clz32(first) - 23;
}

/** A number of variable length, without its marker. */
export function decodeVint(bytes: Buffer): number {
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
