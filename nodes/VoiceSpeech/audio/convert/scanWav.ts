import { findWaveFormatName, nameWaveFormat } from '../codecs';
import { ConversionError, createDamagedError } from '../conversionError';
import type { ForwardReader } from '../../streams/forwardReader';
import type { WavTrack } from './track';

// Names and layouts are those of Microsoft's RIFF specification, EBU Tech 3306 (RF64) and ITU-R BS.2088 (BW64).

/** As in headers/wav: this length or more, in bytes, means that it is unknown, or that `ds64` has it. */
const unknownLength = 0x7fff_f000;

/** Longest `fmt ` in bytes that is read. WAVEFORMATEXTENSIBLE has 40, and Microsoft ADPCM 50. */
const maxFormatBytes = 1024;

/** As in headers/wav: if more than this share of the samples follows, the header is wrong. */
const maxTrailingShare = 0.1;

/** PCM, float, A-law, mu-law. */
const sampleCodecs = [1, 3, 6, 7];

/** Codecs whose format has the number of samples in a block after the number of its own bytes (mmreg.h). */
const blockCodecs = [0x02, 0x11, 0x31];

/** WAVE_FORMAT_EXTENSIBLE, whose subformat starts with the codec. */
const extensibleFormat = 0xfffe;

/** The tag of the codec that a `fmt ` describes. */
export function readCodecTag(format: Buffer): number {
	const tag = format.readUInt16LE(0);
	return tag === extensibleFormat && format.length >= 26 ? format.readUInt16LE(24) : tag;
}

/** @returns undefined if the format does not specify how many samples a block has */
function findBlockSamples(format: Buffer, channels: number): number | undefined {
	const tag = readCodecTag(format);
	if (sampleCodecs.includes(tag)) {
		const sampleBytes = Math.ceil(format.readUInt16LE(14) / 8);
		return format.readUInt16LE(12) === channels * sampleBytes ? 1 : undefined;
	}
	const isCounted = blockCodecs.includes(tag) && format.length >= 20;
	return isCounted ? format.readUInt16LE(18) || undefined : undefined;
}

/**
 * @param format content of `fmt `
 * @param dataBytes what follows the header of `data`
 * @param samples of each channel by `fact`; 0 if unknown
 * @throws {ConversionError} if the format is cut off
 */
function createTrack(
	format: Buffer,
	dataOffset: number,
	dataBytes: number,
	samples: number,
): WavTrack {
	if (format.length < 16) throw createDamagedError();
	const channels = format.readUInt16LE(2);
	const samplingRate = format.readUInt32LE(4);
	const blockBytes = format.readUInt16LE(12);
	if (channels === 0 || samplingRate === 0 || blockBytes === 0) throw createDamagedError();
	const blockSamples = findBlockSamples(format, channels);
	const counted = samples > 0 && samples < unknownLength ? samples : undefined;
	const blocks = Math.floor(dataBytes / blockBytes);
	const total = blockSamples === 1 ? blocks : (counted ?? (blockSamples ?? NaN) * blocks);
	return {
		kind: 'wav',
		codec: findWaveFormatName(format) ?? nameWaveFormat(0),
		format,
		samplingRate,
		channels,
		dataOffset,
		dataBytes: blockSamples === undefined ? dataBytes : blocks * blockBytes,
		blockBytes,
		blockSamples,
		seconds: Number.isNaN(total) ? undefined : total / samplingRate,
	};
}

/**
 * Skips the samples. A recorder that was switched off leaves a wrong length in the header. More samples follow then, where
 * a file that was finished has chunks.
 *
 * @returns their length in bytes
 */
async function skipSamples(reader: ForwardReader, declared: number): Promise<number> {
	const dataBytes = await reader.skip(declared);
	await reader.skip(dataBytes % 2);
	const isChunk = /^[\x20-\x7e]{4}/.test((await reader.peek(4)).toString('latin1'));
	const rest = await reader.skip(Infinity);
	const isWrong = !isChunk && rest > dataBytes * maxTrailingShare;
	return isWrong ? dataBytes + rest : dataBytes;
}

/**
 * Reads a WAV file to the end of its samples, which may be cut off, or whose length a recorder may not have written.
 *
 * @throws {ConversionError} if it is damaged, or has no samples
 */
export async function scanWav(reader: ForwardReader): Promise<WavTrack> {
	await reader.skip(12);
	let format = Buffer.alloc(0);
	let samples = 0;
	let longLength = 0;
	for (;;) {
		const header = await reader.read(8);
		if (header.length < 8) throw new ConversionError({ kind: 'noAudio' });
		const name = header.toString('latin1', 0, 4);
		const length = header.readUInt32LE(4);
		if (name === 'data') {
			const isKnown = length > 0 && length < unknownLength;
			const declared = isKnown ? length : longLength;
			const dataOffset = reader.position;
			const dataBytes = await skipSamples(reader, declared || Infinity);
			if (dataBytes === 0) throw new ConversionError({ kind: 'noAudio' });
			return createTrack(format, dataOffset, dataBytes, samples);
		}
		const content = await reader.read(Math.min(length, maxFormatBytes));
		// Chunks begin at even offsets.
		await reader.skip(length - content.length + (length % 2));
		if (name === 'fmt ') format = content;
		if (name === 'fact' && content.length >= 4) samples = content.readUInt32LE(0);
		if (name === 'ds64' && content.length >= 16) longLength = Number(content.readBigUInt64LE(8));
	}
}
