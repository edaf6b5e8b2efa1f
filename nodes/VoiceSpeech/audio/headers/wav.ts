import type { ForwardReader } from '../../streams/forwardReader';
import { readWaveFormatTag } from '../codecs';
import type { AudioGap, AudioProperties, AudioReader } from '../reader';

/**
 * A length of this number or more, in bytes or samples, means that the length is unknown, or that the chunk `ds64` has it.
 * sox writes this number (its wav.c), other programs write the highest one.
 */
const unknownLength = 0x7fff_f000;

/** Longest `fmt ` in bytes that is read. WAVEFORMATEXTENSIBLE has 40, and Microsoft ADPCM 50. */
const maxFormatBytes = 1024;

/** Number of chunks in front of the data that are read. Real files have up to ten, a crafted one millions. */
const maxChunks = 1000;

/** Codecs whose blocks have one sample of each channel: PCM, float, A-law, mu-law (RFC 2361). */
const sampleCodecs = [0x01, 0x03, 0x06, 0x07];

/** Codecs whose format has the number of samples in a block after the number of its own bytes (mmreg.h). */
const blockCodecs = [0x02, 0x11, 0x31];

/** A file of this length or more, in bytes, may have its data elsewhere, for example after a chunk of an odd length. */
const maxEmptyBytes = 4096;

/** If more than this share of the data follows, it is not a chunk of tags, but the header is wrong. */
export const maxTrailingShare = 0.1;

/** What the chunk `fmt ` says of the samples. */
export interface WavFormat {
	/** Its content. */
	formatChunk: Buffer;
	/** In Hz. */
	samplingRate: number;
	channels: number;
	/** Length of a block in bytes. */
	blockBytes: number;
	/** Samples of each channel in a block: 1, except for ADPCM and the like; undefined if the format does not specify it. */
	blockSamples: number | undefined;
}

/** What the chunks up to the data contain. */
export interface WavHeader {
	/** Undefined if it is missing or cut off. */
	format: WavFormat | undefined;
	/** Samples of each channel, which a `fact` chunk counts; undefined if unknown. */
	samples: number | undefined;
	/** Length of the data in bytes by its chunk; undefined without a `data` chunk. */
	length: number | undefined;
	/** Length of the data in bytes by `ds64`, which is there if 32 bits are not enough. */
	longLength: number | undefined;
	/** Offset of the data in bytes. */
	dataOffset: number;
	/** Length of the file in bytes by its first chunk. */
	riffLength: number;
}

function findBlockSamples(formatChunk: Buffer): number | undefined {
	const tag = readWaveFormatTag(formatChunk);
	if (sampleCodecs.includes(tag)) {
		const sampleBytes = Math.ceil(formatChunk.readUInt16LE(14) / 8);
		const isPlausible = formatChunk.readUInt16LE(12) === formatChunk.readUInt16LE(2) * sampleBytes;
		return isPlausible ? 1 : undefined;
	}
	const isCounted = blockCodecs.includes(tag) && formatChunk.length >= 20;
	return isCounted ? formatChunk.readUInt16LE(18) || undefined : undefined;
}

/** @returns undefined if it is cut off */
function readFormat(formatChunk: Buffer): WavFormat | undefined {
	if (formatChunk.length < 16) return undefined;
	return {
		formatChunk,
		samplingRate: formatChunk.readUInt32LE(4),
		channels: formatChunk.readUInt16LE(2),
		blockBytes: formatChunk.readUInt16LE(12),
		blockSamples: findBlockSamples(formatChunk),
	};
}

/**
 * Reads the chunks in front of the data (Microsoft's RIFF specification), also of RF64 (EBU Tech 3306) and BW64 (ITU-R
 * BS.2088).
 *
 * @param start offset of `RIFF` in bytes
 */
export async function readWavHeader(reader: ForwardReader, start: number): Promise<WavHeader> {
	const header: WavHeader = {
		format: undefined,
		samples: undefined,
		length: undefined,
		longLength: undefined,
		dataOffset: 0,
		riffLength: 0,
	};
	const riff = await reader.peekAt(start, 8);
	if (riff.length === 8) header.riffLength = riff.readUInt32LE(4) + 8;
	// After `RIFF`, the length of the file and `WAVE`.
	let offset = start + 12;
	for (let count = 0; count < maxChunks; count++) {
		await reader.yieldToEventLoop();
		const chunk = await reader.peekAt(offset, 8 + maxFormatBytes);
		if (chunk.length < 8) break;
		const name = chunk.toString('latin1', 0, 4);
		const length = chunk.readUInt32LE(4);
		const content = chunk.subarray(8, 8 + length);
		offset += 8;
		if (name === 'data') return { ...header, length, dataOffset: offset };
		if (name === 'fmt ') header.format = readFormat(Buffer.from(content));
		if (name === 'fact' && content.length >= 4) {
			const samples = content.readUInt32LE(0);
			header.samples = samples > 0 && samples < unknownLength ? samples : undefined;
		}
		if (name === 'ds64' && content.length >= 16) {
			header.longLength = Number(content.readBigUInt64LE(8));
		}
		// Chunks begin at even offsets.
		offset += length + (length % 2);
	}
	return header;
}

/** Length of the data in bytes as the header specifies it; undefined if it does not. */
export function getDeclaredLength({ length = 0, longLength }: WavHeader): number | undefined {
	return length > 0 && length < unknownLength ? length : longLength || undefined;
}

/**
 * Length of the data in bytes; undefined if unknown. A recorder that was switched off leaves a wrong one in the header.
 *
 * @param fileSize in bytes
 */
function findDataLength(header: WavHeader, fileSize: number): number | undefined {
	if (header.length === undefined) return undefined;
	const declared = getDeclaredLength(header);
	const available = Math.max(0, fileSize - header.dataOffset);
	if (declared === undefined) return available;
	const isWrong = available > declared * (1 + maxTrailingShare);
	return isWrong ? undefined : Math.min(declared, available);
}

/**
 * Duration in seconds; undefined if unknown. It does not depend on the average byte rate of the header, because recordings
 * with a wrong one play normally.
 *
 * @param dataBytes length of the data; undefined if unknown
 */
export function computeWavSeconds(
	{ format, samples }: WavHeader,
	dataBytes: number | undefined,
): number | undefined {
	if (format === undefined || format.samplingRate === 0) return undefined;
	const { samplingRate, blockBytes, blockSamples } = format;
	// The last block may have samples that are not counted. A single sample per block needs no count, which may be wrong.
	const counted = blockSamples === 1 ? undefined : samples;
	const isMeasured = blockSamples !== undefined && blockBytes > 0 && dataBytes !== undefined;
	if (!isMeasured) return counted === undefined ? undefined : counted / samplingRate;
	const available = Math.floor(dataBytes / blockBytes) * blockSamples;
	return Math.min(available, counted ?? Infinity) / samplingRate;
}

/**
 * Reads the header of a WAV file.
 *
 * @param start offset of `RIFF` in bytes
 */
export async function probeWav(reader: AudioReader, start: number): Promise<AudioProperties> {
	const header = await readWavHeader(reader, start);
	const { size } = reader;
	return {
		samplingRate: header.format?.samplingRate || undefined,
		channels: header.format?.channels || undefined,
		// Only the size of the file shows whether a length in the header is wrong.
		seconds:
			size === undefined ? undefined : computeWavSeconds(header, findDataLength(header, size)),
	};
}

/** Whether nothing but chunks is between an offset and the end of a file of this size, all in bytes. */
async function endsInChunks(reader: AudioReader, start: number, size: number): Promise<boolean> {
	let offset = start;
	while (offset < size) {
		const header = await reader.peekAt(offset, 8);
		const isChunk = header.length === 8 && /^[\x20-\x7e]{4}/.test(header.toString('latin1'));
		if (!isChunk) return false;
		const length = header.readUInt32LE(4);
		offset += 8 + length + (length % 2);
	}
	return offset <= size + 1;
}

/** How many bytes may be missing. Some programs count the header as data, or round up. */
const lengthTolerance = 64;

/**
 * Compares the length of the data with the header.
 *
 * @param start offset of `RIFF` in bytes
 */
export async function findWavGap(reader: AudioReader, start: number): Promise<AudioGap> {
	const header = await readWavHeader(reader, start);
	const { length, dataOffset, riffLength } = header;
	const bytes = await reader.peekAt(0, maxEmptyBytes);
	const isEntireFile = bytes.length < maxEmptyBytes;
	const size = reader.size ?? (isEntireFile ? bytes.length : undefined);
	if (length === undefined) return isEntireFile && !bytes.includes('data') ? 'all' : 'none';
	if (size === undefined) return 'none';
	if (dataOffset >= size) return 'all';
	// A recorder that was switched off leaves 0 too, but mostly also in the length of the file.
	const isFinished = length === 0 && start + riffLength === size;
	if (isFinished && (await endsInChunks(reader, dataOffset, size))) return 'all';
	const declared = getDeclaredLength(header) ?? 0;
	return dataOffset + declared > size + lengthTolerance ? 'end' : 'none';
}
