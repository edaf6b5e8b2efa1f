import { aacSamplingRates } from '../codecs';
import { ConversionError, createDamagedError } from '../../errors/audioError';
import {
	adtsHeaderBytes,
	findFirstAdtsFrame,
	minFrames,
	readAdtsHeader,
	type AdtsHeader,
} from '../headers/frames';
import { headBytes } from '../../limits';
import type { ForwardReader } from '../../streams/forwardReader';
import { type CopiedTrack, PacketSizes } from './track';

// Section numbers are those of ISO/IEC 14496-3.

const samplesPerFrame = 1024;

/** Bytes without a frame that are skipped before the first one. */
const maxSkippedBytes = 1024 * 1024;

/** Bytes that contain the headers of {@link minFrames} frames of any length. The field for the length has 13 bits. */
const confirmingBytes = (minFrames - 1) * 0x1fff + adtsHeaderBytes;

/**
 * Skips what is in front of the first frame in a file that was cut out of a stream.
 *
 * @returns the configuration of the first frames in a row, because the header of the first frame may be damaged
 */
async function skipToFirstFrame(reader: ForwardReader): Promise<number | undefined> {
	const head = await reader.peek(confirmingBytes);
	const start = findFirstAdtsFrame(head) ?? 0;
	if (readAdtsHeader(head) === undefined) await reader.skip(start);
	return readAdtsHeader(head, start)?.config;
}

/** Offset of the first header with this configuration, or with any; undefined if there is none. */
function findHeader(bytes: Buffer, config: number | undefined): number | undefined {
	let offset = bytes.indexOf(0xff);
	while (offset !== -1) {
		const header = readAdtsHeader(bytes, offset);
		if (header !== undefined && header.config === (config ?? header.config)) return offset;
		offset = bytes.indexOf(0xff, offset + 1);
	}
	return undefined;
}

/**
 * Skips bytes that are not a frame, where a stream was damaged.
 *
 * @param config that of the frames before; undefined before the first frame
 * @returns the header of the next frame, which is not read; undefined at the end
 * @throws {ConversionError} if there are too many bytes before the first frame
 */
async function skipToNextFrame(
	reader: ForwardReader,
	config: number | undefined,
): Promise<AdtsHeader | undefined> {
	let skipped = 0;
	while (config !== undefined || skipped < maxSkippedBytes) {
		const bytes = await reader.peek(headBytes);
		if (bytes.length < adtsHeaderBytes) return undefined;
		const start = findHeader(bytes, config);
		// The last bytes may be the start of a header.
		skipped += await reader.skip(start ?? bytes.length - adtsHeaderBytes + 1);
		if (start !== undefined) return readAdtsHeader(bytes, start);
	}
	throw createDamagedError();
}

/** The headers of the next frames in a row, which are not read. */
async function peekHeaders(reader: ForwardReader): Promise<AdtsHeader[]> {
	const bytes = await reader.peek(confirmingBytes);
	const headers: AdtsHeader[] = [];
	let offset = 0;
	while (headers.length < minFrames) {
		const header = readAdtsHeader(bytes, offset);
		if (header === undefined) break;
		headers.push(header);
		offset += header.length;
	}
	return headers;
}

/**
 * Rejects a stream whose configuration changes, or whose frames contain several packets, if {@link minFrames} headers in
 * a row show it. Fewer count as damage.
 *
 * @throws {ConversionError} if these frames cannot become packets of M4A
 */
async function rejectOtherFrames(reader: ForwardReader, config: number): Promise<void> {
	const headers = await peekHeaders(reader);
	const [first, ...others] = headers;
	if (headers.length < minFrames || others.some((other) => other.config !== first!.config)) return;
	if (first!.config !== config) {
		throw new ConversionError({
			kind: 'codec',
			codec: 'AAC whose sampling rate or channels change',
		});
	}
	// The number may differ between frames.
	if (others.some(({ blocks }) => blocks > 1)) {
		throw new ConversionError({ kind: 'codec', codec: 'AAC with several packets in a frame' });
	}
}

/** A frame without its header. */
interface Frame {
	config: number;
	packet: Buffer;
}

/**
 * Reads the frames, except those whose header is unlike that of the others, and one that is cut off at the end.
 *
 * @throws {ConversionError} if the bytes are damaged or ADIF, or the frames cannot become packets of M4A
 */
async function* readFrames(reader: ForwardReader): AsyncGenerator<Frame> {
	let config = await skipToFirstFrame(reader);
	if ((await reader.peek(4)).toString('latin1') === 'ADIF') {
		throw new ConversionError({ kind: 'codec', codec: 'AAC in ADIF' });
	}
	for (;;) {
		const next = readAdtsHeader(await reader.peek(adtsHeaderBytes));
		const header = next ?? (await skipToNextFrame(reader, config));
		if (header === undefined) return;
		config ??= header.config;
		if (header.config !== config || header.blocks > 1) {
			await rejectOtherFrames(reader, config);
			// The header is damaged, perhaps also its length.
			await reader.skip(1);
			continue;
		}
		const frame = await reader.read(header.length);
		if (frame.length < header.length) return;
		yield { config, packet: frame.subarray(header.headerLength) };
	}
}

async function* readPackets(reader: ForwardReader): AsyncGenerator<Buffer> {
	for await (const { packet } of readFrames(reader)) yield packet;
}

/**
 * Makes an AudioSpecificConfig (1.6.2.1) of a header.
 *
 * @throws {ConversionError} if the header does not specify the channels
 */
function createConfig(config: number): Pick<CopiedTrack, 'config' | 'samplingRate' | 'channels'> {
	const profile = (config >> 14) & 3;
	const rateIndex = (config >> 10) & 15;
	const channelConfiguration = (config >> 6) & 7;
	if (channelConfiguration === 0) {
		throw new ConversionError({ kind: 'codec', codec: 'AAC with a custom channel layout' });
	}
	const bytes = Buffer.alloc(2);
	bytes.writeUInt16BE(((profile + 1) << 11) | (rateIndex << 7) | (channelConfiguration << 3));
	return {
		config: bytes,
		samplingRate: aacSamplingRates[rateIndex]!,
		channels: channelConfiguration === 7 ? 8 : channelConfiguration,
	};
}

/**
 * Reads raw AAC in frames of ADTS (1.A.2.2) to its end.
 *
 * @throws {ConversionError} if it is damaged, or its frames cannot become packets of M4A
 */
export async function scanAdts(reader: ForwardReader): Promise<CopiedTrack> {
	const sizes = new PacketSizes();
	let config: number | undefined;
	for await (const frame of readFrames(reader)) {
		sizes.add(frame.packet.length);
		config = frame.config;
	}
	if (config === undefined) throw createDamagedError();
	const description = createConfig(config);
	return {
		kind: 'copied',
		codec: 'aac',
		...description,
		timescale: description.samplingRate,
		...sizes.describe(),
		durations: Uint32Array.of(sizes.count, samplesPerFrame),
		totalTicks: sizes.count * samplesPerFrame,
		readPackets,
	};
}
