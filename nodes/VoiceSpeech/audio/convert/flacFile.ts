import { ConversionError, createDamagedError } from '../../errors/audioError';
import type { ForwardReader } from '../../streams/forwardReader';
import { readFlacConfig, streamInfoBytes } from '../codecs';
import { type CopiedTrack, joinPackets, PacketSizes } from './track';

// Section numbers are those of RFC 9639.

/** How much is searched for the next frame at first, in bytes. */
const searchedBytes = 32 * 1024;

/** Longest frame in bytes. The largest block of 8 channels with 32 bits has 2 MiB. */
const maxFrameBytes = 4 * 1024 * 1024;

/** Length of an ID3v1 tag in bytes. */
const id3v1Bytes = 128;

/**
 * Reads the metadata (8).
 *
 * @returns STREAMINFO, which is the first block
 * @throws {ConversionError} if it is cut off
 */
async function readMetadata(reader: ForwardReader): Promise<Buffer> {
	await reader.skip(4);
	let streamInfo: Buffer | undefined;
	for (;;) {
		const header = await reader.read(4);
		if (header.length < 4) throw createDamagedError();
		const length = header.readUIntBE(1, 3);
		const content = await reader.read(Math.min(length, streamInfoBytes));
		streamInfo ??= content;
		await reader.skip(length - content.length);
		const isLast = (header[0]! & 0x80) !== 0;
		if (!isLast) continue;
		if (streamInfo.length < streamInfoBytes) throw createDamagedError();
		return streamInfo;
	}
}

/** Whether a frame comes directly after another one. The bytes of a frame may look like a header by chance. */
function follows(next: FlacFrame, current: FlacFrame): boolean {
	const { isVariable, number, samples, codes } = current;
	if (next.codes !== codes || next.isVariable !== isVariable) return false;
	return next.number === number + (isVariable ? samples : 1);
}

/** Length of the last frame, which a tag may follow; undefined if it is cut off or damaged. */
function findLastLength(bytes: Buffer): number | undefined {
	const lengths = [bytes.length, bytes.length - id3v1Bytes];
	return lengths.find((length) => length > 0 && computeFrameSum(bytes.subarray(0, length)) === 0);
}

/** Where the frame at the reader's position ends, and the frame after it; both undefined if it is cut off. */
interface FrameEnd {
	length: number | undefined;
	next: FlacFrame | undefined;
}

/** @throws {ConversionError} if no frame follows for too long */
async function findEnd(reader: ForwardReader, current: FlacFrame): Promise<FrameEnd> {
	let start = current.headerLength;
	for (let wanted = searchedBytes; wanted <= maxFrameBytes; wanted *= 2) {
		const bytes = reader.peekReceived(wanted) ?? (await reader.peek(wanted));
		for (
			let offset = bytes.indexOf(0xff, start);
			offset !== -1;
			offset = bytes.indexOf(0xff, offset + 1)
		) {
			const next = readFlacFrame(bytes, offset);
			if (next !== undefined && follows(next, current)) return { length: offset, next };
		}
		if (bytes.length < wanted) return { length: findLastLength(bytes), next: undefined };
		// The last bytes may be the start of a header.
		start = bytes.length - maxFrameHeaderBytes;
	}
	throw createDamagedError();
}

/** @throws {ConversionError} if the stream is damaged */
async function* readFrames(
	reader: ForwardReader,
): AsyncGenerator<{ frame: FlacFrame; bytes: Buffer }> {
	let frame = readFlacFrame(await reader.peek(maxFrameHeaderBytes), 0);
	while (frame !== undefined) {
		const { length, next } = await findEnd(reader, frame);
		if (length === undefined) return;
		yield { frame, bytes: await reader.read(length) };
		frame = next;
	}
}

async function* readPackets(reader: ForwardReader): AsyncGenerator<Buffer> {
	await readMetadata(reader);
	for await (const { bytes } of readFrames(reader)) yield bytes;
}

/**
 * Reads a FLAC file to its end.
 *
 * @throws {ConversionError} if it is damaged, or has more frames than can be indexed
 */
export async function scanFlac(reader: ForwardReader): Promise<CopiedTrack> {
	const streamInfo = await readMetadata(reader);
	const { samplingRate, channels } = readFlacConfig(streamInfo);
	if (samplingRate === 0) throw createDamagedError();
	const sizes = new PacketSizes();
	/** As in {@link CopiedTrack.durations}. */
	const durations: number[] = [];
	let totalTicks = 0;
	for await (const { frame, bytes } of readFrames(reader)) {
		sizes.add(bytes.length);
		totalTicks += frame.samples;
		if (durations.at(-1) === frame.samples) durations[durations.length - 2]!++;
		else durations.push(1, frame.samples);
	}
	if (sizes.count === 0) throw new ConversionError({ kind: 'headerOnly' });
	return {
		kind: 'copied',
		codec: 'flac',
		config: streamInfo,
		samplingRate,
		channels,
		timescale: samplingRate,
		...sizes.describe(),
		durations: Uint32Array.from(durations),
		totalTicks,
		readPackets,
	};
}

/** Longest header of a frame in bytes (9.1): 4 bytes, the number, the block size, the sampling rate and the checksum. */
const maxFrameHeaderBytes = 16;

/** Length of the checksum at the end of a frame, in bytes (9.3). */
const footerBytes = 2;

/**
 * Creates the table of a checksum, by the next byte.
 *
 * @param bits of the checksum
 */
function createTable(polynomial: number, bits: 8 | 16): Uint16Array {
	const highest = 1 << (bits - 1);
	const mask = 2 ** bits - 1;
	return Uint16Array.from({ length: 256 }, (_, byte) => {
		let sum = byte << (bits - 8);
		for (let bit = 0; bit < 8; bit++) {
			sum = sum & highest ? ((sum << 1) ^ polynomial) & mask : (sum << 1) & mask;
		}
		return sum;
	});
}

/** Checksum of a header (9.1.8). */
const headerTable = createTable(0x07, 8);

/** Checksum of a frame (9.3). */
const frameTable = createTable(0x8005, 16);

function computeHeaderSum(bytes: Uint8Array): number {
	return bytes.reduce((sum, byte) => headerTable[sum ^ byte]!, 0);
}

/** @returns 0 for an entire frame with its checksum */
function computeFrameSum(bytes: Uint8Array, start = 0): number {
	let sum = start;
	for (const byte of bytes) sum = frameTable[(sum >> 8) ^ byte]! ^ ((sum << 8) & 0xffff);
	return sum;
}

/** The header of a frame (9.1). */
interface FlacFrame {
	/** Samples of each channel. */
	samples: number;
	/** Whether blocks differ in length, so that the number counts samples and not frames. */
	isVariable: boolean;
	/** Number of the frame, or of its first sample. */
	number: number;
	/** The codes of the sampling rate and of the sample size, which are the same in all frames. */
	codes: number;
	/** In bytes, with its checksum. */
	headerLength: number;
	/** Length of the number in bytes. It starts at the fifth byte. */
	numberLength: number;
}

/** Reads a number in the extended form of UTF-8 (9.1.5). */
function readNumber(bytes: Buffer, offset: number): { number: number; length: number } | undefined {
	const first = bytes[offset]!;
	const ones = Math.clz32(~(first << 24));
	if (ones === 1 || ones > 7) return undefined;
	const length = Math.max(1, ones);
	let number = ones === 0 ? first : first & (0x7f >> ones);
	for (let index = 1; index < length; index++) {
		const byte = bytes[offset + index];
		if (byte === undefined || byte >> 6 !== 2) return undefined;
		number = number * 64 + (byte & 0x3f);
	}
	return { number, length };
}

/** Writes a number as {@link readNumber} reads it. */
function encodeNumber(number: number): Buffer {
	if (number < 0x80) return Buffer.from([number]);
	const bytes: number[] = [];
	let rest = number;
	// The first byte has room for 6 bits less the number of bytes after it.
	while (rest >= 2 ** Math.max(0, 6 - bytes.length)) {
		bytes.unshift(0x80 | rest % 64);
		rest = Math.floor(rest / 64);
	}
	const marker = (0xff00 >> (bytes.length + 1)) & 0xff;
	return Buffer.from([marker | rest, ...bytes]);
}

/** The block size by its code (9.1.1); undefined for those that follow the number, or are reserved. */
function findBlockSize(code: number): number | undefined {
	if (code === 1) return 192;
	if (code >= 2 && code <= 5) return 576 << (code - 2);
	return code >= 8 ? 256 << (code - 8) : undefined;
}

/** @returns undefined if no frame begins here */
function readFlacFrame(bytes: Buffer, offset: number): FlacFrame | undefined {
	if (offset + 6 > bytes.length) return undefined;
	if (bytes[offset] !== 0xff || (bytes[offset + 1]! & 0xfe) !== 0xf8) return undefined;
	const sizeCode = bytes[offset + 2]! >> 4;
	const rateCode = bytes[offset + 2]! & 15;
	const channelCode = bytes[offset + 3]! >> 4;
	if (sizeCode === 0 || rateCode === 15 || channelCode > 10 || bytes[offset + 3]! & 1) {
		return undefined;
	}
	const coded = readNumber(bytes, offset + 4);
	if (coded === undefined) return undefined;
	const sizeOffset = offset + 4 + coded.length;
	const sizeBytes = sizeCode === 6 || sizeCode === 7 ? sizeCode - 5 : 0;
	let rateBytes = 0;
	if (rateCode >= 12) rateBytes = rateCode === 12 ? 1 : 2;
	const sumOffset = sizeOffset + sizeBytes + rateBytes;
	const sum = bytes[sumOffset];
	if (sum === undefined || computeHeaderSum(bytes.subarray(offset, sumOffset)) !== sum) {
		return undefined;
	}
	const samples =
		sizeBytes === 0 ? findBlockSize(sizeCode)! : bytes.readUIntBE(sizeOffset, sizeBytes) + 1;
	return {
		samples,
		isVariable: (bytes[offset + 1]! & 1) === 1,
		number: coded.number,
		codes: (rateCode << 4) | (bytes[offset + 3]! & 15),
		headerLength: sumOffset + 1 - offset,
		numberLength: coded.length,
	};
}

/**
 * Gives a frame another number. Its checksum stays wrong if it was wrong before, so that a decoder still finds damage.
 *
 * @param number of the frame, or of its first sample, as in the frame itself
 */
function renumberFrame(bytes: Buffer, number: number): Buffer {
	const { headerLength, numberLength } = readFlacFrame(bytes, 0)!;
	const oldHeader = bytes.subarray(0, headerLength);
	const start = Buffer.concat([
		oldHeader.subarray(0, 4),
		encodeNumber(number),
		oldHeader.subarray(4 + numberLength, -1),
	]);
	const header = Buffer.concat([start, Buffer.from([computeHeaderSum(start)])]);
	const content = bytes.subarray(headerLength);
	const damage = computeFrameSum(content, computeFrameSum(oldHeader));
	const body = content.subarray(0, -footerBytes);
	const footer = Buffer.alloc(footerBytes);
	footer.writeUInt16BE(computeFrameSum(body, computeFrameSum(header)) ^ damage);
	return Buffer.concat([header, body, footer]);
}

/** The start of a file: its signature, and the header of the only metadata block, STREAMINFO (6 and 8.1). */
const fileStart = Buffer.from('664c614380000022', 'hex');

/** The number of samples has 36 bits; its upper four are the lower half of a byte (8.2). */
const samplesOffset = 13;

/** STREAMINFO of a file with some frames of a track. */
function createStreamInfo({ config, totalTicks }: CopiedTrack): Buffer {
	const info = Buffer.from(config);
	// The shortest and the longest frame, and the checksum of all samples: unknown.
	info.fill(0, 4, 10);
	info.fill(0, 18);
	info[samplesOffset] = (info[samplesOffset]! & 0xf0) | Math.floor(totalTicks / 2 ** 32);
	info.writeUInt32BE(totalTicks % 2 ** 32, samplesOffset + 1);
	return info;
}

/** Prepares a FLAC file with frames of a track, whose numbers start at 0, because decoders expect that. */
export function prepareFlac(track: CopiedTrack): {
	chunks(reader: ForwardReader): AsyncGenerator<Uint8Array>;
} {
	async function* listFrames(reader: ForwardReader): AsyncGenerator<Buffer> {
		yield Buffer.concat([fileStart, createStreamInfo(track)]);
		let first: number | undefined;
		for await (const packet of track.readPackets(reader)) {
			await reader.yieldToEventLoop();
			const { number } = readFlacFrame(packet, 0)!;
			first ??= number;
			yield first === 0 ? packet : renumberFrame(packet, number - first);
		}
	}

	return { chunks: (reader) => joinPackets(listFrames(reader)) };
}
