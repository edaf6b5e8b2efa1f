import type { FileView } from '../fileView';
import { nameAt, type AudioProperties } from './header';
import { countFrames, firstFrame, type MpegFrame } from './mpegFrame';

/** In bytes: how far the first frame is looked for behind the tags; a frame has up to 1,441 bytes. */
const maxSearchBytes = 8192;

/** In bytes: the beginning of a frame, up to the fields of these headers that are read. */
const maxVbrHeader = 64;

/** In bytes: how many frames are checked for a constant bit rate. At MP3's 320 kbit/s they last for 52 seconds. */
const maxFrameBytes = 2 * 1024 * 1024;

/** In bytes: tools count the first frame or an ID3v1 tag as audio, or not. */
const sizeTolerance = 2048;

/** Number of frames, and their size in bytes, by a Xing, Info or VBRI header; 0: not given. */
function readVbrHeader(audio: DataView, { xing }: MpegFrame): { count: number; size: number } {
	const uint = (offset: number) => (offset + 4 <= audio.byteLength ? audio.getUint32(offset) : 0);
	if (nameAt(audio, 36) === 'VBRI') return { count: uint(50), size: uint(46) };
	const flags = /Xing|Info/.test(nameAt(audio, xing)) ? uint(xing + 4) : 0;
	const count = flags & 1 ? uint(xing + 8) : 0;
	return { count, size: (flags & 3) === 3 ? uint(xing + 12) : 0 };
}

async function readSeconds(
	file: FileView,
	offset: number,
	frame: MpegFrame,
): Promise<number | undefined> {
	const { bitRate, samples, samplingRate } = frame;
	const audioSize = file.fileSize && file.fileSize - offset;
	const { count, size } = readVbrHeader(await file.at(offset, maxVbrHeader), frame);
	if (count > 0) {
		// In a part of a file, or in joined files, the header is that of another file.
		const isOther = size > 0 && Math.abs((audioSize ?? size) - size) > sizeTolerance;
		return isOther ? undefined : (count * samples) / samplingRate;
	}
	if (audioSize === undefined) return undefined;
	const audio = await file.at(offset, maxFrameBytes);
	const { isToEnd } = countFrames(audio, 0, frame, (other) => other.bitRate === bitRate);
	// Tags behind the audio are not frames.
	return isToEnd ? (audioSize * 8) / (bitRate * 1000) : undefined;
}

/**
 * Reads the frames of an MP3 file. Its duration is that of its Xing, Info or VBRI header, or follows from its size if
 * it consists of frames of one bit rate only.
 *
 * @param start offset behind the tags in front, in bytes
 */
export async function readMp3(file: FileView, start: number): Promise<AudioProperties> {
	const found = firstFrame(await file.at(start, maxSearchBytes));
	if (found === undefined) return {};
	const { samplingRate, channels } = found.frame;
	const seconds = await readSeconds(file, start + found.offset, found.frame);
	return { samplingRate, channels, ...(seconds === undefined ? {} : { seconds }) };
}
