import { findWaveFormatName, nameWaveFormat } from '../codecs';
import { ConversionError, createDamagedError } from '../../errors/audioError';
import {
	computeWavSeconds,
	getDeclaredLength,
	maxTrailingShare,
	readWavHeader,
} from '../headers/wav';
import type { ForwardReader } from '../../streams/forwardReader';
import type { WavTrack } from './track';

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
	const header = await readWavHeader(reader, 0);
	const { format, dataOffset } = header;
	await reader.skip(dataOffset - reader.position);
	const bytes = await skipSamples(reader, getDeclaredLength(header) ?? Infinity);
	if (header.length === undefined || bytes === 0) throw new ConversionError({ kind: 'noAudio' });
	if (format === undefined) throw createDamagedError();
	const { formatChunk, samplingRate, channels, blockBytes, blockSamples } = format;
	if (channels === 0 || samplingRate === 0 || blockBytes === 0) throw createDamagedError();
	return {
		...format,
		kind: 'wav',
		codec: findWaveFormatName(formatChunk) ?? nameWaveFormat(0),
		dataOffset,
		dataBytes: blockSamples === undefined ? bytes : bytes - (bytes % blockBytes),
		seconds: computeWavSeconds(header, bytes),
	};
}
