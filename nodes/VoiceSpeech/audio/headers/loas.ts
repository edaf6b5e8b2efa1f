/** Length of the sync word and the length of a frame, in bytes. */
const headerBytes = 3;

/** How many frames in a row are not a coincidence. */
const minFrames = 3;

/**
 * Whether the bytes start with frames of LOAS, which digital radio and television store AAC in (ISO/IEC 14496-3, 1.7.2): a
 * sync word of 11 bits, and the length of what follows in 13.
 */
export function startsWithLoas(bytes: Buffer): boolean {
	let offset = 0;
	for (let count = 0; count < minFrames; count++) {
		// The longest frames are longer than the bytes that are read.
		if (offset + headerBytes > bytes.length) return count >= 2;
		const header = bytes.readUIntBE(offset, headerBytes);
		const length = header & 0x1fff;
		if (header >> 13 !== 0x2b7 || length === 0) return false;
		offset += headerBytes + length;
	}
	return true;
}
