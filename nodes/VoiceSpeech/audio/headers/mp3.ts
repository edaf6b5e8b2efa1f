import { maxCheckedFrameBytes, maxFrameSearchBytes } from '../../limits';
import type { AudioProperties, AudioReader } from '../reader';
import { countFrames, firstFrame, type MpegFrame } from './mpegFrame';

/** In bytes: tools count the first frame or an ID3v1 tag as audio, or not. */
const sizeTolerance = 2048;

/**
 * Number of frames, and their size in bytes; 0: not given. These headers have no standard: Xing's, and Info, which LAME
 * writes for a constant bit rate, follow the side information (LAME, VbrTag.c); Fraunhofer's VBRI is at offset 36.
 */
function readVbrHeader(audio: Buffer, { xing }: MpegFrame): { count: number; size: number } {
	const name = (offset: number) => audio.toString('latin1', offset, offset + 4);
	const uint = (offset: number) => (offset + 4 <= audio.length ? audio.readUInt32BE(offset) : 0);
	if (name(36) === 'VBRI') return { count: uint(50), size: uint(46) };
	// Flags: 1 for the count, 2 for the size, which follow in this order.
	const flags = /Xing|Info/.test(name(xing)) ? uint(xing + 4) : 0;
	const count = flags & 1 ? uint(xing + 8) : 0;
	return { count, size: (flags & 3) === 3 ? uint(xing + 12) : 0 };
}

/** Duration in seconds; undefined if the file may contain other audio or tags. */
async function readSeconds(
	reader: AudioReader,
	offset: number,
	frame: MpegFrame,
): Promise<number | undefined> {
	const { bitRate, samples, samplingRate } = frame;
	const audioSize = reader.size && reader.size - offset;
	const { count, size } = readVbrHeader(await reader.peekAt(offset, 64), frame);
	if (count > 0) {
		// In a part of a file, or in joined files, the header is that of another file.
		const isOther = size > 0 && Math.abs((audioSize ?? size) - size) > sizeTolerance;
		return isOther ? undefined : (count * samples) / samplingRate;
	}
	if (audioSize === undefined) return undefined;
	const audio = await reader.peekAt(offset, maxCheckedFrameBytes);
	const { isToEnd } = countFrames(audio, 0, frame, bitRate);
	// Tags behind the audio are not frames.
	return isToEnd ? (audioSize * 8) / (bitRate * 1000) : undefined;
}

/**
 * Reads the frames of an MP3 file. Its duration is that of its Xing, Info or VBRI header, or follows from its size if
 * it consists of frames of one bit rate only.
 *
 * @param start offset behind the tags in front, in bytes
 */
export async function readMp3(reader: AudioReader, start: number): Promise<AudioProperties> {
	const found = firstFrame(await reader.peekAt(start, maxFrameSearchBytes));
	if (found === undefined) return {};
	const { samplingRate, channels } = found.frame;
	const seconds = await readSeconds(reader, start + found.offset, found.frame);
	return { samplingRate, channels, seconds };
}
