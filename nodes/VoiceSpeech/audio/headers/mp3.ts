import { maxCheckedFrameBytes, maxFrameSearchBytes } from '../../limits';
import type { AudioProperties, AudioReader } from '../reader';

/**
 * The header of an MPEG audio frame, layer II or III (ISO/IEC 11172-3, 2.4.1.3; ISO/IEC 13818-3 for MPEG 2): bit rate in
 * kbit/s, sampling rate in Hz, samples per channel, length in bytes.
 */
interface MpegFrame {
	layer: 2 | 3;
	bitRate: number;
	samplingRate: number;
	channels: number;
	samples: number;
	/** Offset of a Xing header in the frame, in bytes. It follows the frame header and the side information. */
	xing: number;
	length: number;
}

/** In kbit/s, by bitrate_index; 0: free format (ISO/IEC 11172-3, 2.4.2.3; ISO/IEC 13818-3, 2.4.2.3). */
const bitRates = {
	layer2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
	layer3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
	/** MPEG 2 and 2.5, both layers. */
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

/** @returns undefined if no frame begins here; free format is not supported, because hardly any file uses it */
function readFrame(bytes: Buffer, offset: number): MpegFrame | undefined {
	if (offset + 4 > bytes.length) return undefined;
	const header = bytes.readUInt32BE(offset);
	const version = (header >>> 19) & 3;
	const layer = 4 - ((header >>> 17) & 3);
	if (header >>> 21 !== 0x7ff || (layer !== 2 && layer !== 3)) return undefined;
	const isMpeg1 = version === 3;
	const rates = isMpeg1 ? bitRates[`layer${layer}`] : bitRates.low;
	const bitRate = rates[(header >>> 12) & 15];
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
	return { layer, bitRate, samplingRate, channels, samples, xing: 4 + sideInfoLength, length };
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
		if (!isSame || frame.bitRate !== (bitRate ?? frame.bitRate)) return { count, isToEnd: false };
		count++;
		offset += frame.length;
	}
	return { count, isToEnd: true };
}

/**
 * Finds the first frame of MPEG audio. It may come after something else, as in a file cut out of a stream.
 * Fewer than three frames may be a coincidence, except where the bytes begin and end with frames.
 *
 * @returns the frame and its offset in bytes
 */
export function findFirstFrame(bytes: Buffer): { frame: MpegFrame; offset: number } | undefined {
	for (let offset = 0; offset + 4 <= bytes.length; offset++) {
		const frame = readFrame(bytes, offset);
		if (frame === undefined) continue;
		const { count, isToEnd } = countFrames(bytes, offset, frame);
		if (count >= 3 || (offset === 0 && isToEnd)) return { frame, offset };
	}
	return undefined;
}

/** Tolerance in bytes. Some tools count the first frame or an ID3v1 tag as audio, others do not. */
const sizeTolerance = 2048;

/** Duration in seconds; undefined if the file may contain other audio or tags. */
async function readSeconds(
	reader: AudioReader,
	offset: number,
	frame: MpegFrame,
): Promise<number | undefined> {
	const { bitRate, samples, samplingRate, xing } = frame;
	const audioSize = reader.size && reader.size - offset;
	const header = await reader.peekAt(offset + xing, 16);
	// Xing's header, and Info, which LAME writes for a constant bit rate, have no standard (LAME, VbrTag.c): after the
	// name, flags for the number of frames (1) and their size in bytes (2), then these numbers.
	const isXing = header.length === 16 && /^(Xing|Info)/.test(header.toString('latin1'));
	if (isXing && (header.readUInt32BE(4) & 3) === 3) {
		const count = header.readUInt32BE(8);
		const size = header.readUInt32BE(12);
		// In a part of a file, or in joined files, the header is that of another file.
		const isOther = Math.abs((audioSize ?? size) - size) > sizeTolerance;
		return isOther ? undefined : (count * samples) / samplingRate;
	}
	if (audioSize === undefined) return undefined;
	const audio = await reader.peekAt(offset, maxCheckedFrameBytes);
	const { isToEnd } = countFrames(audio, 0, frame, bitRate);
	// Tags after the audio are not frames.
	return isToEnd ? (audioSize * 8) / (bitRate * 1000) : undefined;
}

/**
 * Reads the frames of an MP3 file. Its duration is that of its Xing or Info header, or follows from its size if
 * it consists of frames of one bit rate only. It starts after the tags.
 */
export async function readMp3(reader: AudioReader, start: number): Promise<AudioProperties> {
	const found = findFirstFrame(await reader.peekAt(start, maxFrameSearchBytes));
	if (found === undefined) return {};
	const { samplingRate, channels } = found.frame;
	const seconds = await readSeconds(reader, start + found.offset, found.frame);
	return { samplingRate, channels, seconds };
}
