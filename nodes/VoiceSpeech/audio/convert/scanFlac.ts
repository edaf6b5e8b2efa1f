import { readFlacConfig, streamInfoBytes } from '../codecs';
import { ConversionError, createDamagedError } from '../../errors/audioError';
import type { ForwardReader } from '../../streams/forwardReader';
import { computeFrameSum, maxFrameHeaderBytes, readFlacFrame, type FlacFrame } from './flacFile';
import { PacketSizes } from './packets';
import type { CopiedTrack } from './track';

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
