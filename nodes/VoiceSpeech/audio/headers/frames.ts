import { aacSamplingRates } from '../codecs';
import type { AudioProperties, AudioReader } from '../reader';

/** The header of an MPEG audio frame, layer II or III (ISO/IEC 11172-3, 2.4.1.3; ISO/IEC 13818-3 for MPEG 2). */
export interface MpegFrame {
	layer: 2 | 3;
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

/** Offset of a VBRI header in the first frame, in bytes. */
const vbriOffset = 36;

/** Lengths of the fields of a Xing header after its flags: frames, bytes, seek table, quality. */
const xingFieldBytes = [4, 4, 100, 4];

/** Bytes of the first frame that may have a header. The longest is one with all fields and the encoder's. */
const headerBytes = 36 + 8 + 112 + 24;

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
export function readMpegFrame(bytes: Buffer, offset: number): MpegFrame | undefined {
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
	return { layer, samplingRate, channels, samples, xingOffset, length };
}

/**
 * Counts frames of one layer and sampling rate that follow one another.
 *
 * @returns their number; `isToEnd` if nothing else is between them and the end of the bytes
 */
function countFrames(
	bytes: Buffer,
	start: number,
	{ layer, samplingRate }: MpegFrame,
): { count: number; isToEnd: boolean } {
	let count = 0;
	let offset = start;
	while (offset + 4 <= bytes.length) {
		const frame = readMpegFrame(bytes, offset);
		if (frame?.layer !== layer || frame.samplingRate !== samplingRate) {
			return { count, isToEnd: false };
		}
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
		const frame = readMpegFrame(bytes, offset);
		if (frame === undefined) continue;
		const { count, isToEnd } = countFrames(bytes, offset, frame);
		if (count >= 3 || (offset === 0 && isToEnd)) return { frame, offset };
	}
	return undefined;
}

/** What a header in the first frame, which has no audio itself, specifies about the frames after it. */
export interface Mp3Header {
	/** Number of frames; undefined if unknown. */
	frames: number | undefined;
	/** Length of the frames in bytes; undefined if unknown. */
	audioBytes: number | undefined;
	/** Samples that the encoder added in front of the audio and behind it; undefined if unknown. */
	added: { front: number; end: number } | undefined;
}

/**
 * Reads a header that encoders write into the first frame. They have no standard. Xing, or Info for a constant bit rate
 * (LAME, VbrTag.c; ffmpeg, libavformat/mp3dec.c), has a flag for each of its fields. VBRI of Fraunhofer is always at the
 * same offset.
 *
 * @param bytes the first {@link headerBytes} bytes of the frame, or more
 * @returns undefined for a frame with audio
 */
export function readMp3Header(bytes: Buffer, { xingOffset }: MpegFrame): Mp3Header | undefined {
	const vbri = bytes.subarray(vbriOffset);
	if (vbri.toString('latin1', 0, 4) === 'VBRI' && vbri.length >= 18) {
		return { frames: vbri.readUInt32BE(14), audioBytes: vbri.readUInt32BE(10), added: undefined };
	}
	const xing = bytes.subarray(xingOffset);
	if (!/^(Xing|Info)/.test(xing.toString('latin1', 0, 4)) || xing.length < 8) return undefined;
	const flags = xing.readUInt32BE(4);
	let offset = 8;
	const [frames, audioBytes] = xingFieldBytes.map((length, bit) => {
		if (((flags >> bit) & 1) === 0) return undefined;
		offset += length;
		return offset > xing.length ? undefined : xing.readUInt32BE(offset - length);
	});
	const encoder = xing.subarray(offset);
	const hasAdded = /^(LAME|Lav[cf])/.test(encoder.toString('latin1', 0, 4)) && encoder.length >= 24;
	const added = hasAdded ? encoder.readUIntBE(21, 3) : 0;
	return {
		frames,
		audioBytes,
		added: hasAdded ? { front: added >> 12, end: added & 0xfff } : undefined,
	};
}

/** Tolerance in bytes. Some tools count the first frame or an ID3v1 tag as audio, others do not. */
const sizeTolerance = 2048;

/** Duration in seconds; undefined without a header that describes all of the file. */
async function findSeconds(reader: AudioReader, first: FirstFrame): Promise<number | undefined> {
	if (reader.size === undefined) return undefined;
	const bytes = await reader.peekAt(first.offset, headerBytes);
	const { frames, audioBytes } = readMp3Header(bytes, first.frame) ?? {};
	if (frames === undefined || audioBytes === undefined) return undefined;
	// In a part of a file, or in joined files, the header is that of another file.
	const isOther = Math.abs(reader.size - first.offset - audioBytes) > sizeTolerance;
	return isOther ? undefined : (frames * first.frame.samples) / first.frame.samplingRate;
}

/**
 * Reads the first frame of an MP3 file, and its Xing, Info or VBRI header. Without one, or without the size of the file,
 * the duration is unknown.
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

/** Length of the header of a frame in bytes, without its checksum. */
export const adtsHeaderBytes = 7;

/** The header of a frame of AAC in ADTS (ISO/IEC 14496-3, 1.A.2.2). */
export interface AdtsHeader {
	/** Profile, sampling rate and channels, which are the same for all frames. */
	config: number;
	/** Length of the header in bytes, with its checksum. */
	headerLength: number;
	/** Length of the frame in bytes, with its header. */
	length: number;
	/** Number of blocks. Each of them is a packet of its own. */
	blocks: number;
}

/** @returns undefined if no frame starts here */
export function readAdtsHeader(bytes: Buffer, offset = 0): AdtsHeader | undefined {
	if (offset + adtsHeaderBytes > bytes.length) return undefined;
	const first = bytes.readUInt32BE(offset);
	// The sync word, and layer 0.
	if ((first & 0xfff60000) >>> 0 !== 0xfff00000) return undefined;
	const hasChecksum = (first & 0x10000) === 0;
	const headerLength = hasChecksum ? adtsHeaderBytes + 2 : adtsHeaderBytes;
	const length = (bytes.readUInt32BE(offset + 3) >>> 13) & 0x1fff;
	const hasKnownRate = ((first >> 10) & 15) < aacSamplingRates.length;
	if (!hasKnownRate || length <= headerLength) return undefined;
	const blocks = (bytes[offset + 6]! & 3) + 1;
	// Without the private bit and those for copyright, which may change.
	return { config: first & 0xfdc0, headerLength, length, blocks };
}

/** Number of frames in a row that are neither a coincidence nor damage. */
export const minFrames = 3;

function startsWithFrames(bytes: Buffer, start: number): boolean {
	const config = readAdtsHeader(bytes, start)?.config;
	let offset = start;
	for (let count = 0; count < minFrames; count++) {
		const header = readAdtsHeader(bytes, offset);
		if (header === undefined || header.config !== config) return false;
		offset += header.length;
	}
	return true;
}

/**
 * Finds the first of three frames of ADTS in a row. They may come after something else, as in a file cut out of a
 * stream.
 *
 * @returns the offset in bytes
 */
export function findFirstAdtsFrame(bytes: Buffer): number | undefined {
	let offset = bytes.indexOf(0xff);
	while (offset !== -1) {
		if (startsWithFrames(bytes, offset)) return offset;
		offset = bytes.indexOf(0xff, offset + 1);
	}
	return undefined;
}
