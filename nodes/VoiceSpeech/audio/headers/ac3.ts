// Names and section numbers are those of ATSC A/52.

type Ac3Format = 'AC-3' | 'E-AC-3';

/** A frame of AC-3 or E-AC-3. */
interface Ac3Frame {
	format: Ac3Format;
	/** In bytes. */
	length: number;
}

/** The start of each frame (5.4.1.1). */
const syncWord = 0x0b77;

/** How much of a frame is read, in bytes. */
const headerBytes = 6;

/** In kbit/s, by the upper bits of frmsizecod (table 5.18). */
const bitRates = [
	32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
];

/** In Hz, by fscod (table 5.6). */
const samplingRates = [48_000, 44_100, 32_000];

/** Samples of each channel in a frame of AC-3. */
const frameSamples = 1536;

/** The highest bsid of AC-3. Those above 8 halve the sampling rate, but not the length. */
const maxAc3Version = 10;

/** The highest bsid of E-AC-3 (annex E, 2.3.1). */
const maxEac3Version = 16;

/** Length of a frame of AC-3 in bytes (table 5.18); undefined if its rate is reserved. */
function readAc3Length(bytes: Buffer): number | undefined {
	const samplingRate = samplingRates[bytes[4]! >> 6];
	const sizeCode = bytes[4]! & 63;
	const bitRate = bitRates[sizeCode >> 1];
	if (samplingRate === undefined || bitRate === undefined) return undefined;
	const words = Math.floor((bitRate * 1000 * frameSamples) / samplingRate / 16);
	const padding = samplingRate === 44_100 ? sizeCode & 1 : 0;
	return 2 * (words + padding);
}

/** Length of a frame of E-AC-3 in bytes (annex E, 2.3.1); undefined if its type or rate is reserved. */
function readEac3Length(bytes: Buffer): number | undefined {
	const first = bytes.readUInt16BE(2);
	const hasReservedType = first >> 14 === 3;
	// With fscod 3, fscod2 is the rate, which cannot be 3 too.
	const hasReservedRate = bytes[4]! >> 4 === 15;
	const length = 2 * ((first & 0x7ff) + 1);
	if (hasReservedType || hasReservedRate || length < headerBytes) return undefined;
	return length;
}

/** @returns undefined if no frame begins here */
function readFrame(bytes: Buffer): Ac3Frame | undefined {
	if (bytes.length < headerBytes || bytes.readUInt16BE(0) !== syncWord) return undefined;
	const version = bytes[5]! >> 3;
	if (version > maxEac3Version) return undefined;
	const format = version > maxAc3Version ? 'E-AC-3' : 'AC-3';
	const length = format === 'AC-3' ? readAc3Length(bytes) : readEac3Length(bytes);
	return length === undefined ? undefined : { format, length };
}

/**
 * Recognizes AC-3 and E-AC-3 by a first frame that another one follows. A sync word alone may be a coincidence.
 *
 * @param bytes the first ones of a file; the longest frame, of 4,096 bytes, may be all of them
 */
export function findAc3Format(bytes: Buffer): Ac3Format | undefined {
	const frame = readFrame(bytes);
	if (frame === undefined) return undefined;
	const rest = bytes.subarray(frame.length);
	const isAtEnd = bytes.length === frame.length;
	const isFollowed = rest.length >= 2 && rest.readUInt16BE(0) === syncWord;
	return isAtEnd || isFollowed ? frame.format : undefined;
}
