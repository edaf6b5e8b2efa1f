import { createDamagedError } from '../../errors/audioError';
import {
	findFirstMpegFrame,
	readMp3Header,
	readMpegFrame,
	type Mp3Header,
	type MpegFrame,
} from '../headers/mp3';
import { headBytes } from '../../limits';
import type { ForwardReader } from '../../streams/forwardReader';
import { PacketSizes } from './packets';
import type { CopiedTrack } from './track';

/** Samples by which every decoder delays the audio. Encoders do not count them. */
export const decoderDelay = 529;

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
 * @throws {ConversionError} if there are no frames, or more than can be indexed
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
