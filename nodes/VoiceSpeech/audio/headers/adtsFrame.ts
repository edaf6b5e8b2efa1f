import { aacSamplingRates } from '../codecs';

/** Length of the header of a frame in bytes, without its checksum. */
export const adtsHeaderBytes = 7;

/** The header of a frame of AAC in ADTS (ISO/IEC 14496-3, 1.A.2.2). */
export interface AdtsHeader {
	/** Profile, sampling rate and channels, which are the same for all frames. */
	config: number;
	/** Length of the header in bytes, with its checksum. */
	headerLength: number;
	/** Length of the frame in bytes, with its header. */
	length: number;
	/** Number of blocks. Each of them is a packet of its own. */
	blocks: number;
}

/** @returns undefined if no frame starts here */
export function readAdtsHeader(bytes: Buffer, offset = 0): AdtsHeader | undefined {
	if (offset + adtsHeaderBytes > bytes.length) return undefined;
	const first = bytes.readUInt32BE(offset);
	// The sync word, and layer 0.
	if ((first & 0xfff60000) >>> 0 !== 0xfff00000) return undefined;
	const hasChecksum = (first & 0x10000) === 0;
	const headerLength = hasChecksum ? adtsHeaderBytes + 2 : adtsHeaderBytes;
	const length = (bytes.readUInt32BE(offset + 3) >>> 13) & 0x1fff;
	const hasKnownRate = ((first >> 10) & 15) < aacSamplingRates.length;
	if (!hasKnownRate || length <= headerLength) return undefined;
	const blocks = (bytes[offset + 6]! & 3) + 1;
	// Without the private bit and those for copyright, which may change.
	return { config: first & 0xfdc0, headerLength, length, blocks };
}

/** Number of frames in a row that are neither a coincidence nor damage. */
export const minFrames = 3;

function startsWithFrames(bytes: Buffer, start: number): boolean {
	const config = readAdtsHeader(bytes, start)?.config;
	let offset = start;
	for (let count = 0; count < minFrames; count++) {
		const header = readAdtsHeader(bytes, offset);
		if (header === undefined || header.config !== config) return false;
		offset += header.length;
	}
	return true;
}

/**
 * Finds the first of three frames of ADTS in a row. They may come after something else, as in a file cut out of a
 * stream.
 *
 * @returns the offset in bytes
 */
export function findFirstAdtsFrame(bytes: Buffer): number | undefined {
	let offset = bytes.indexOf(0xff);
	while (offset !== -1) {
		if (startsWithFrames(bytes, offset)) return offset;
		offset = bytes.indexOf(0xff, offset + 1);
	}
	return undefined;
}
