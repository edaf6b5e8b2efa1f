import { createDamagedError } from '../../errors/audioError';
import { headBytes } from '../../limits';
import type { ForwardReader } from '../../streams/forwardReader';
import {
	findFirstMpegFrame,
	type Mp3Header,
	type MpegFrame,
	readMp3Header,
	readMpegFrame,
} from '../headers/frames';
import { type ConvertedFile, type CopiedTrack, joinPackets, PacketSizes } from './track';

/** Samples by which every decoder delays the audio. Encoders do not count them. */
const decoderDelay = 529;

/** How many bytes show whether frames follow one another. Three of them have at most this length. */
const confirmingBytes = headBytes;

/**
 * Skips tags, and bytes that are not a frame, where a stream was damaged.
 *
 * @returns false if no frame follows
 */
async function skipToFrame(reader: ForwardReader): Promise<boolean> {
	for (;;) {
		const bytes = await reader.peek(2 * confirmingBytes);
		const found = findFirstMpegFrame(bytes);
		if (found?.frame.layer === 3) {
			await reader.skip(found.offset);
			return true;
		}
		if (bytes.length < 2 * confirmingBytes) return false;
		await reader.skip(confirmingBytes);
	}
}

interface Mp3Frame {
	frame: MpegFrame;
	bytes: Buffer;
}

/** Reads the frames, except one that is cut off at the end, and those of another sampling rate. */
async function* readFrames(reader: ForwardReader): AsyncGenerator<Mp3Frame> {
	let samplingRate: number | undefined;
	while (await skipToFrame(reader)) {
		for (;;) {
			const frame = readMpegFrame(reader.peekReceived(4) ?? (await reader.peek(4)), 0);
			if (frame?.layer !== 3) break;
			const bytes = await reader.read(frame.length);
			if (bytes.length < frame.length) return;
			samplingRate ??= frame.samplingRate;
			if (frame.samplingRate === samplingRate) yield { frame, bytes };
		}
	}
}

async function* readPackets(reader: ForwardReader): AsyncGenerator<Buffer> {
	let isFirst = true;
	for await (const { frame, bytes } of readFrames(reader)) {
		const isHeader = isFirst && readMp3Header(bytes, frame) !== undefined;
		isFirst = false;
		if (!isHeader) yield bytes;
	}
}

/**
 * Reads MP3 to its end.
 *
 * @throws {ConversionError} for a recording without frames, or with more than can be indexed
 */
export async function scanMp3(reader: ForwardReader): Promise<CopiedTrack> {
	const sizes = new PacketSizes();
	let header: Mp3Header | undefined;
	let first: Mp3Frame | undefined;
	for await (const next of readFrames(reader)) {
		if (first === undefined && header === undefined) {
			header = readMp3Header(next.bytes, next.frame);
			if (header !== undefined) continue;
		}
		first ??= next;
		sizes.add(next.bytes.length);
	}
	if (first === undefined) throw createDamagedError();
	const { samples, samplingRate, channels } = first.frame;
	const totalTicks = sizes.count * samples;
	const track: CopiedTrack = {
		kind: 'copied',
		codec: 'mp3',
		config: first.bytes.subarray(0, 4),
		samplingRate,
		channels,
		timescale: samplingRate,
		...sizes.describe(),
		durations: Uint32Array.of(sizes.count, samples),
		totalTicks,
		readPackets,
	};
	const { frames, added } = header ?? {};
	const skippedTicks = (added?.front ?? 0) + decoderDelay;
	if (frames === undefined || added === undefined || skippedTicks >= totalTicks) return track;
	// The end of a part of a file is not padding.
	const padding = frames === sizes.count ? Math.max(0, added.end - decoderDelay) : 0;
	const playedTicks = Math.max(0, totalTicks - skippedTicks - padding);
	return { ...track, playedParts: [{ skippedTicks, playedTicks }] };
}

// Layouts are those of LAME, VbrTag.c, and of ISO/IEC 11172-3.

/** The samples to skip have 12 bits in the header of a file. */
const maxDelay = 0xfff;

/**
 * How many frames before a part may have bytes of its audio. There are up to 255 such bytes in MPEG 2, where the smallest
 * frame has 3 of them, and another two frames are repeated.
 */
export const maxPreRoll = 87;

/** Length of the fields after the side information in bytes: those of Xing, and those of LAME. */
const xingBytes = 4 + 4 + 4 + 4 + 100 + 4;
const lameBytes = 36;

/** Length of the header of a frame with its side information, in bytes; of a checksum too, if there is one. */
function countHeaderBytes(frame: Buffer): number {
	const checksumBytes = frame[1]! & 1 ? 0 : 2;
	return readMpegFrame(frame, 0)!.xingOffset + checksumBytes;
}

/** How many bytes of its audio are in the frames before (main_data_begin, 2.4.1.7). */
function readReservoirBytes(frame: Buffer): number {
	const isMpeg1 = (frame[1]! & 8) !== 0;
	const bits = frame.readUInt16BE(4 + (frame[1]! & 1 ? 0 : 2));
	return isMpeg1 ? bits >> 7 : bits >> 8;
}

/**
 * A frame of silence of the lowest bit rate that leaves room for content.
 *
 * @param config the header of a frame of the same track
 * @param contentBytes length of the content after the side information
 */
function createSilentFrame(config: Buffer, contentBytes: number): Buffer {
	const header = Buffer.from(config.subarray(0, 4));
	// No checksum, no padding.
	header[1]! |= 1;
	for (let bitRateIndex = 1; ; bitRateIndex++) {
		header[2] = (header[2]! & 0x0c) | (bitRateIndex << 4);
		const frame = readMpegFrame(header, 0);
		// A frame of the highest bit rate has room for any content in any version.
		if (frame === undefined) throw new Error('No frame of MP3 has room for this content');
		if (frame.length < frame.xingOffset + contentBytes) continue;
		return Buffer.concat([header, Buffer.alloc(frame.length - header.length)]);
	}
}

/**
 * What a decoder needs in front of a part: the frame before it, or two of 576 samples, which overlap with its first one.
 * They may need bytes of many frames before, which are in one silent frame, because the samples of at most four can be
 * skipped.
 *
 * @param recent the last {@link maxPreRoll} frames before the part
 */
export function createPreRoll(recent: Buffer[]): Buffer[] {
	const last = recent.at(-1);
	if (last === undefined) return [];
	const count = readMpegFrame(last, 0)!.samples === 576 ? 2 : 1;
	const repeated = recent.slice(-count);
	const reservoirBytes = readReservoirBytes(repeated[0]!);
	if (reservoirBytes === 0) return repeated;
	const contents = recent.slice(0, -count).map((frame) => frame.subarray(countHeaderBytes(frame)));
	const reservoir = Buffer.concat(contents).subarray(-reservoirBytes);
	const silence = createSilentFrame(last, reservoir.length);
	reservoir.copy(silence, silence.length - reservoir.length);
	return [silence, ...repeated];
}

/** The header that says which samples are played. It is a frame without audio. */
function createFileHeader({
	config,
	sizes,
	packetBytes,
	totalTicks,
	playedParts,
}: CopiedTrack): Buffer {
	const [{ skippedTicks, playedTicks }] = playedParts as [
		{ skippedTicks: number; playedTicks: number },
	];
	const frame = createSilentFrame(config, xingBytes + lameBytes);
	const { xingOffset } = readMpegFrame(frame, 0)!;
	const padding = totalTicks - skippedTicks - playedTicks + decoderDelay;
	let offset = xingOffset + frame.write('Xing', xingOffset);
	// All of the fields follow.
	offset = frame.writeUInt32BE(15, offset);
	offset = frame.writeUInt32BE(sizes.length, offset);
	offset = frame.writeUInt32BE(packetBytes + frame.length, offset);
	for (let percent = 0; percent < 100; percent++) {
		offset = frame.writeUInt8(Math.floor((percent * 256) / 100), offset);
	}
	offset += 4;
	// Players read the samples to skip only after the name of an encoder that writes them.
	frame.write('LAME', offset);
	const delays = (skippedTicks - decoderDelay) * 4096 + Math.min(maxDelay, padding);
	frame.writeUIntBE(delays, offset + 21, 3);
	return frame;
}

/** Prepares an MP3 file with frames of a track. */
export function prepareMp3(track: CopiedTrack): ConvertedFile {
	const header = track.playedParts?.length === 1 ? [createFileHeader(track)] : [];

	async function* listFrames(reader: ForwardReader): AsyncGenerator<Buffer> {
		yield* header;
		yield* track.readPackets(reader);
	}

	return {
		size: track.packetBytes + header.reduce((sum, { length }) => sum + length, 0),
		chunks: (reader) => joinPackets(listFrames(reader)),
	};
}
