import { aacSamplingRates } from '../codecs/aacConfig';
import type { ForwardReader } from './forwardReader';
import { growToFit } from './growToFit';
import { ConversionError, createDamagedError } from '../conversionError';
import type { CopiedTrack } from './track';

// Section numbers are those of ISO/IEC 14496-3.

const samplesPerFrame = 1024;

/** Maximum number of frames, which is more than a day of audio. */
const maxFrames = 5_000_000;

/** Bytes without a frame that are skipped, e.g. a tag with a picture at the end. */
const maxGarbageBytes = 1024 * 1024;

/** Without the checksum. */
const headerBytes = 7;

/** The header of a frame (1.A.2.2). */
interface FrameHeader {
	/** Profile, sampling rate and channels, which are the same for all frames. */
	config: number;
	/** Length of the header in bytes. */
	headerLength: number;
	/** Length of the frame in bytes, with its header. */
	length: number;
	/** Number of blocks, each of which is a packet of its own. */
	blocks: number;
}

/** @returns undefined if no frame starts with these bytes */
function readHeader(bytes: Buffer): FrameHeader | undefined {
	const first = bytes.readUInt32BE(0);
	// The sync word, and layer 0.
	if ((first & 0xfff60000) >>> 0 !== 0xfff00000) return undefined;
	const headerLength = first & 0x10000 ? headerBytes : headerBytes + 2;
	const length = (bytes.readUInt32BE(3) >>> 13) & 0x1fff;
	const isValid = ((first >> 10) & 15) < aacSamplingRates.length && length > headerLength;
	if (!isValid) return undefined;
	// Without the private bit and those for copyright, which may change.
	return { config: first & 0xfdc0, headerLength, length, blocks: (bytes[6]! & 3) + 1 };
}

/** Skips an ID3v2 tag, whose first bytes were read. @returns the first bytes after it */
async function skipTag(reader: ForwardReader, start: Buffer): Promise<Buffer> {
	const header = Buffer.concat([start, await reader.read(10 - start.length)]);
	if (header.length < 10) return header.subarray(0, 0);
	const [a, b, c, d] = header.subarray(6);
	const length = ((a! & 127) << 21) | ((b! & 127) << 14) | ((c! & 127) << 7) | (d! & 127);
	const footerLength = header[5]! & 0x10 ? 10 : 0;
	await reader.skip(length + footerLength);
	return await reader.read(headerBytes);
}

/** Finds the next header in a stream that was damaged. @param bytes the ones that were read and are not a header */
async function findNextHeader(
	reader: ForwardReader,
	bytes: Buffer,
	config: number | undefined,
): Promise<Buffer | undefined> {
	let window = bytes;
	let skipped = 0;
	while (skipped < maxGarbageBytes) {
		const next = window.indexOf(0xff, 1);
		const kept = window.subarray(next === -1 ? window.length : next);
		skipped += window.length - kept.length;
		window = Buffer.concat([kept, await reader.read(headerBytes - kept.length)]);
		if (window.length < headerBytes) return undefined;
		const header = readHeader(window);
		if (header !== undefined && (config ?? header.config) === header.config) return window;
	}
	throw createDamagedError();
}

/** @throws {ConversionError} if the frame cannot become a packet of M4A */
function checkHeader(header: FrameHeader, config: number): void {
	if (header.config !== config) {
		throw new ConversionError({
			reason: 'codec',
			codec: 'AAC whose sampling rate or channels change',
		});
	}
	if (header.blocks > 1) {
		throw new ConversionError({ reason: 'codec', codec: 'AAC with several packets in a frame' });
	}
}

/** A frame without its header. */
interface Frame {
	config: number;
	packet: Buffer;
}

/** Reads the frames; one that is cut off at the end is not returned. */
async function* readFrames(reader: ForwardReader): AsyncGenerator<Frame> {
	let start: Buffer | undefined = await reader.read(headerBytes);
	while (start.toString('latin1', 0, 3) === 'ID3') start = await skipTag(reader, start);
	if (start.toString('latin1', 0, 4) === 'ADIF') {
		throw new ConversionError({ reason: 'codec', codec: 'AAC in ADIF' });
	}
	let config: number | undefined;
	while (start.length === headerBytes) {
		const header: FrameHeader | undefined = readHeader(start);
		if (header === undefined) {
			start = await findNextHeader(reader, start, config);
			if (start === undefined) return;
			continue;
		}
		config ??= header.config;
		checkHeader(header, config);
		const frame = await reader.read(header.length - headerBytes);
		if (frame.length < header.length - headerBytes) return;
		yield { config, packet: frame.subarray(header.headerLength - headerBytes) };
		start = await reader.read(headerBytes);
	}
}

async function* readPackets(reader: ForwardReader): AsyncGenerator<Buffer> {
	for await (const { packet } of readFrames(reader)) yield packet;
}

/** Makes an AudioSpecificConfig (1.6.2.1) of a header. */
function createConfig(config: number): Pick<CopiedTrack, 'config' | 'samplingRate' | 'channels'> {
	const profile = (config >> 14) & 3;
	const rateIndex = (config >> 10) & 15;
	const channelConfiguration = (config >> 6) & 7;
	if (channelConfiguration === 0) {
		throw new ConversionError({ reason: 'codec', codec: 'AAC with a custom channel layout' });
	}
	const bytes = Buffer.alloc(2);
	bytes.writeUInt16BE(((profile + 1) << 11) | (rateIndex << 7) | (channelConfiguration << 3));
	return {
		config: bytes,
		samplingRate: aacSamplingRates[rateIndex]!,
		channels: channelConfiguration === 7 ? 8 : channelConfiguration,
	};
}

/** Reads raw AAC in frames of ADTS (1.A.2.2) to its end. */
export async function scanAdts(reader: ForwardReader): Promise<CopiedTrack> {
	let sizes = new Uint32Array(1024);
	let count = 0;
	let config: number | undefined;
	for await (const frame of readFrames(reader)) {
		if (count === maxFrames) throw createDamagedError();
		sizes = growToFit(sizes, count);
		sizes[count] = frame.packet.length;
		count++;
		config = frame.config;
	}
	if (config === undefined) throw createDamagedError();
	const description = createConfig(config);
	return {
		kind: 'copied',
		codec: 'aac',
		...description,
		timescale: description.samplingRate,
		sizes: sizes.slice(0, count),
		durations: [{ packets: count, ticks: samplesPerFrame }],
		readPackets,
	};
}
