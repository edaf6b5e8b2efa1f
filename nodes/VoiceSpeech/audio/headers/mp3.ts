import type { AudioProperties, AudioReader } from '../reader';

/** The header of an MPEG audio frame, layer II or III (ISO/IEC 11172-3, 2.4.1.3; ISO/IEC 13818-3 for MPEG 2). */
interface MpegFrame {
	layer: 2 | 3;
	/** In kbit/s. */
	bitRate: number;
	/** In Hz. */
	samplingRate: number;
	channels: number;
	/** Samples of each channel. */
	samples: number;
	/** Offset of a Xing header in the frame, in bytes. It follows the frame header and the side information. */
	xingOffset: number;
	/** In bytes, with the header. */
	length: number;
}

/** How far after the tags the first frame is looked for, in bytes. A frame of layer III has up to 1,441 bytes. */
const maxFrameSearchBytes = 8192;

/** How much of a file is checked for a constant bit rate, in bytes. It lasts 52 seconds at the highest bit rate. */
const maxCheckedFrameBytes = 2 * 1024 * 1024;

/** In kbit/s, by bitrate_index, where 0 is free format (ISO/IEC 11172-3, 2.4.2.3; ISO/IEC 13818-3, 2.4.2.3). */
const bitRates = {
	layer2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
	layer3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
	/** Both layers of MPEG 2 and 2.5. */
	low: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

/** In Hz, by sampling_frequency (ISO/IEC 11172-3, 2.4.2.3). */
const samplingRates = [44_100, 48_000, 32_000];

/**
 * Length of the side information of layer III in bytes, in MPEG 1 and in lower versions (ISO/IEC 11172-3, 2.4.1.7;
 * ISO/IEC 13818-3, 2.4.1.7).
 */
const sideInfoBytes = {
	mono: { mpeg1: 17, low: 9 },
	stereo: { mpeg1: 32, low: 17 },
};

/** By version: MPEG 2.5 (an extension by Fraunhofer, hence a sync word of 11 bits), reserved, MPEG 2, MPEG 1. */
const rateDivisors = [4, undefined, 2, 1];

function getBitRates(layer: 2 | 3, isMpeg1: boolean): number[] {
	if (!isMpeg1) return bitRates.low;
	return layer === 2 ? bitRates.layer2 : bitRates.layer3;
}

/** @returns undefined if no frame begins here; free format is not supported, because hardly any file uses it */
function readFrame(bytes: Buffer, offset: number): MpegFrame | undefined {
	if (offset + 4 > bytes.length) return undefined;
	const header = bytes.readUInt32BE(offset);
	const version = (header >>> 19) & 3;
	const layer = 4 - ((header >>> 17) & 3);
	if (header >>> 21 !== 0x7ff || (layer !== 2 && layer !== 3)) return undefined;
	const isMpeg1 = version === 3;
	const bitRate = getBitRates(layer, isMpeg1)[(header >>> 12) & 15];
	const fullRate = samplingRates[(header >>> 10) & 3];
	const divisor = rateDivisors[version];
	if (!bitRate || fullRate === undefined || divisor === undefined) return undefined;
	const samplingRate = fullRate / divisor;
	const channels = ((header >>> 6) & 3) === 3 ? 1 : 2;
	const samples = layer === 3 && !isMpeg1 ? 576 : 1152;
	const sideInfo = channels === 1 ? sideInfoBytes.mono : sideInfoBytes.stereo;
	const sideInfoLength = isMpeg1 ? sideInfo.mpeg1 : sideInfo.low;
	const padding = (header >>> 9) & 1;
	const length = Math.floor(((samples / 8) * 1000 * bitRate) / samplingRate) + padding;
	const xingOffset = 4 + sideInfoLength;
	return { layer, bitRate, samplingRate, channels, samples, xingOffset, length };
}

/**
 * Counts frames of one layer and sampling rate, and of one bit rate if it is given, that follow one another.
 *
 * @returns their number; `isToEnd` if nothing else is between them and the end of the bytes
 */
function countFrames(
	bytes: Buffer,
	start: number,
	{ layer, samplingRate }: MpegFrame,
	bitRate?: number,
): { count: number; isToEnd: boolean } {
	let count = 0;
	let offset = start;
	while (offset + 4 <= bytes.length) {
		const frame = readFrame(bytes, offset);
		const isSame = frame?.layer === layer && frame.samplingRate === samplingRate;
		if (!isSame) return { count, isToEnd: false };
		if (bitRate !== undefined && frame.bitRate !== bitRate) return { count, isToEnd: false };
		count++;
		offset += frame.length;
	}
	return { count, isToEnd: true };
}

interface FirstFrame {
	frame: MpegFrame;
	/** In bytes. */
	offset: number;
}

/**
 * Finds the first frame of MPEG audio. It may come after something else, as in a file cut out of a stream.
 * Fewer than three frames may be a coincidence, except where the bytes begin and end with frames.
 *
 * @returns the frame and its offset in bytes
 */
export function findFirstMpegFrame(bytes: Buffer): FirstFrame | undefined {
	for (let offset = 0; offset + 4 <= bytes.length; offset++) {
		const frame = readFrame(bytes, offset);
		if (frame === undefined) continue;
		const { count, isToEnd } = countFrames(bytes, offset, frame);
		if (count >= 3 || (offset === 0 && isToEnd)) return { frame, offset };
	}
	return undefined;
}

/** What a Xing header specifies about the audio after it. */
interface XingHeader {
	frames: number;
	/** Length of the frames in bytes. */
	audioBytes: number;
}

/**
 * Reads a Xing header, or Info, which LAME writes for a constant bit rate. They have no standard (LAME, VbrTag.c). After
 * the name are flags for the number of frames (1) and their length (2), then these numbers.
 *
 * @returns undefined if there is none with both numbers
 */
async function readXing(
	reader: AudioReader,
	{ frame, offset }: FirstFrame,
): Promise<XingHeader | undefined> {
	const header = await reader.peekAt(offset + frame.xingOffset, 16);
	const name = header.toString('latin1', 0, 4);
	if (header.length < 16 || !['Xing', 'Info'].includes(name)) return undefined;
	const hasBoth = (header.readUInt32BE(4) & 3) === 3;
	if (!hasBoth) return undefined;
	return { frames: header.readUInt32BE(8), audioBytes: header.readUInt32BE(12) };
}

/** Tolerance in bytes. Some tools count the first frame or an ID3v1 tag as audio, others do not. */
const sizeTolerance = 2048;

/** Duration in seconds; undefined if the file may contain other audio or tags, or if its size is unknown. */
async function findSeconds(reader: AudioReader, first: FirstFrame): Promise<number | undefined> {
	// Only the size of the file shows whether its header describes all of it. Without a header, the length follows from it.
	if (reader.size === undefined) return undefined;
	const { bitRate, samples, samplingRate } = first.frame;
	const audioBytes = reader.size - first.offset;
	const xing = await readXing(reader, first);
	if (xing !== undefined) {
		// In a part of a file, or in joined files, the header is that of another file.
		const isOther = Math.abs(audioBytes - xing.audioBytes) > sizeTolerance;
		return isOther ? undefined : (xing.frames * samples) / samplingRate;
	}
	const audio = await reader.peekAt(first.offset, maxCheckedFrameBytes);
	// Tags after the audio are not frames.
	const { isToEnd: isConstant } = countFrames(audio, 0, first.frame, bitRate);
	return isConstant ? (audioBytes * 8) / (bitRate * 1000) : undefined;
}

/**
 * Reads the frames of an MP3 file. Its duration is that of its Xing or Info header, or follows from its size if it
 * consists of frames of one bit rate only. Without the size of the file, it is unknown.
 *
 * @param start offset after the tags in bytes
 */
export async function probeMp3(reader: AudioReader, start: number): Promise<AudioProperties> {
	const found = findFirstMpegFrame(await reader.peekAt(start, maxFrameSearchBytes));
	if (found === undefined) return {};
	const { frame, offset } = found;
	const { samplingRate, channels } = frame;
	const seconds = await findSeconds(reader, { frame, offset: start + offset });
	return { samplingRate, channels, seconds };
}
