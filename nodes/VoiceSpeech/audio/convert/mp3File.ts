import { readMpegFrame } from '../headers/mp3';
import type { ForwardReader } from '../../streams/forwardReader';
import { joinPackets } from './joinPackets';
import { decoderDelay } from './scanMp3';
import type { ConvertedFile, CopiedTrack } from './track';

// Layouts are those of LAME, VbrTag.c, and of ISO/IEC 11172-3.

/** The samples to skip have 12 bits in the header of a file. */
const maxDelay = 0xfff;

/** The most frames that may be repeated in front of a part, of which the shortest have 576 samples. */
export const maxPreRoll = Math.floor((maxDelay + decoderDelay) / 576);

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
 * How many of the last frames must be repeated in front of a part, so that a decoder has the frame before it, and all
 * bytes of that frame's audio. With 576 samples, a frame overlaps with two before.
 */
export function countPreRoll(recent: Buffer[]): number {
	const last = recent.at(-1);
	if (last === undefined) return 0;
	const { samples } = readMpegFrame(last, 0)!;
	const needed = Math.min(recent.length, samples === 576 ? 2 : 1);
	const most = Math.min(recent.length, Math.floor((maxDelay + decoderDelay) / samples));
	let count = needed;
	let missing = readReservoirBytes(recent.at(-needed)!);
	while (missing > 0 && count < most) {
		count++;
		const frame = recent.at(-count)!;
		missing -= frame.length - countHeaderBytes(frame);
	}
	return count;
}

/** A frame of silence that is long enough for a header. */
function createEmptyFrame(config: Buffer): Buffer {
	const header = Buffer.from(config);
	// No checksum, no padding.
	header[1]! |= 1;
	for (let bitRateIndex = 1; ; bitRateIndex++) {
		header[2] = (header[2]! & 0x0c) | (bitRateIndex << 4);
		const frame = readMpegFrame(header, 0);
		// A frame of the highest bit rate has room for it in any version.
		if (frame === undefined) throw new Error('The frame of MP3 has no room for a header');
		if (frame.length < frame.xingOffset + xingBytes + lameBytes) continue;
		return Buffer.concat([header, Buffer.alloc(frame.length - header.length)]);
	}
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
	const frame = createEmptyFrame(config);
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
