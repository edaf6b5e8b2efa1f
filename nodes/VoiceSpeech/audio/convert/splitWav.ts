import { readWaveFormatTag } from '../codecs';
import { ConversionError } from '../../errors/audioError';
import type { ForwardReader } from '../../streams/forwardReader';
import { chunkBytes, type WavTrack } from './track';
import { createWavHeader } from './wavFile';

/** A WAV file whose samples can be cut into parts. */
export type SplittableWav = WavTrack & { blockSamples: number };

/** Most bytes of samples of a part, because a WAV file has its length in 32 bits. */
const maxPartBytes = 2 ** 32 - 1 - 64 * 1024;

/** Length of the end of a part in which a quiet place is looked for, in seconds. */
const searchedSeconds = 30;

/** How long the place must be quiet, in seconds, and in how many steps it is measured. */
const quietSeconds = 0.3;
const quietSteps = 15;

/** Reads the level of one sample, in any unit. */
type LevelReader = (bytes: Buffer, offset: number) => number;

/** By codec and bits of a sample. The levels of A-law and mu-law are logarithmic (ITU-T G.711). */
const levelReaders: Record<string, LevelReader> = {
	'1/8': (bytes, offset) => Math.abs(bytes[offset]! - 128),
	'1/16': (bytes, offset) => Math.abs(bytes.readInt16LE(offset)),
	'1/24': (bytes, offset) => Math.abs(bytes.readInt16LE(offset + 1)),
	'1/32': (bytes, offset) => Math.abs(bytes.readInt16LE(offset + 2)),
	'3/32': (bytes, offset) => Math.abs(bytes.readFloatLE(offset)),
	'3/64': (bytes, offset) => Math.abs(bytes.readDoubleLE(offset)),
	'6/8': (bytes, offset) => (bytes[offset]! ^ 0x55) & 0x7f,
	'7/8': (bytes, offset) => ~bytes[offset]! & 0x7f,
};

/** @returns undefined if the samples are compressed */
function findLevelReader({
	formatChunk,
}: WavTrack): { read: LevelReader; bytes: number } | undefined {
	const bits = formatChunk.readUInt16LE(14);
	const read = levelReaders[`${readWaveFormatTag(formatChunk)}/${bits}`];
	return read && { read, bytes: bits / 8 };
}

/**
 * Finds the middle of the quietest place in a part of the samples.
 *
 * @param reader at the start of that part
 * @param blocks its length
 * @returns in blocks from its start
 */
async function findQuietPlace(
	reader: ForwardReader,
	{ samplingRate, blockBytes }: SplittableWav,
	level: { read: LevelReader; bytes: number },
	blocks: number,
): Promise<number> {
	const stepBlocks = Math.max(1, Math.round((samplingRate * quietSeconds) / quietSteps));
	const levels: number[] = [];
	for (let position = 0; position + stepBlocks <= blocks; position += stepBlocks) {
		const bytes = await reader.read(stepBlocks * blockBytes);
		let sum = 0;
		for (let offset = 0; offset + level.bytes <= bytes.length; offset += level.bytes) {
			sum += level.read(bytes, offset);
		}
		levels.push(sum);
	}
	await reader.skip((blocks % stepBlocks) * blockBytes);
	let quietest = Infinity;
	let cut = blocks;
	for (let end = quietSteps; end <= levels.length; end++) {
		const sum = levels.slice(end - quietSteps, end).reduce((total, one) => total + one, 0);
		// Of equal places, the last one.
		if (sum > quietest) continue;
		quietest = sum;
		cut = Math.round((end - quietSteps / 2) * stepBlocks);
	}
	return cut;
}

/**
 * Cuts the samples of a WAV file.
 *
 * @param partSeconds longest part
 * @param tolerance by how much the last part may be longer, in seconds
 * @param reader of the file, to cut at quiet places; undefined to cut anywhere
 * @param onSearch called with the time in seconds from which on samples are needed
 * @returns where the parts begin, and where the last one ends, in blocks
 */
export async function cutWav(
	track: SplittableWav,
	partSeconds: number,
	tolerance: number,
	reader?: ForwardReader,
	onSearch: (second: number) => void = () => {},
): Promise<number[]> {
	const { samplingRate, blockBytes, blockSamples, dataBytes, dataOffset } = track;
	const toBlocks = (seconds: number) => Math.floor((seconds * samplingRate) / blockSamples);
	const total = dataBytes / blockBytes;
	const partBlocks = Math.max(
		1,
		Math.min(toBlocks(partSeconds), Math.floor(maxPartBytes / blockBytes)),
	);
	const searched = Math.min(toBlocks(searchedSeconds), Math.floor(partBlocks / 2));
	const level = findLevelReader(track);
	const cuts = [0];
	let position = 0;
	await reader?.skip(dataOffset);
	for (;;) {
		const start = cuts.at(-1)!;
		if (total - start <= partBlocks + toBlocks(tolerance)) return [...cuts, total];
		const end = start + partBlocks;
		if (reader === undefined || level === undefined) {
			cuts.push(end);
			continue;
		}
		const searchStart = end - searched;
		onSearch((searchStart * blockSamples) / samplingRate);
		await reader.skip((searchStart - position) * blockBytes);
		cuts.push(searchStart + (await findQuietPlace(reader, track, level, searched)));
		position = end;
	}
}

/** @throws {ConversionError} if the recording has changed */
async function* readPart(
	track: SplittableWav,
	blocks: number,
	reader: ForwardReader,
): AsyncGenerator<Uint8Array> {
	const bytes = blocks * track.blockBytes;
	yield createWavHeader(track.formatChunk, bytes, blocks * track.blockSamples);
	for (let missing = bytes; missing > 0; ) {
		const chunk = await reader.read(Math.min(missing, chunkBytes));
		if (chunk.length === 0) throw new ConversionError({ kind: 'changed' });
		missing -= chunk.length;
		yield chunk;
	}
	// Chunks have an even length.
	if (bytes % 2 === 1) yield Buffer.alloc(1);
}

/** Reads the files of all parts. Each must be read to its end before the next one. */
export async function* readWavParts(
	track: SplittableWav,
	cuts: number[],
	reader: ForwardReader,
): AsyncGenerator<AsyncGenerator<Uint8Array>> {
	await reader.skip(track.dataOffset);
	for (const [index, end] of cuts.slice(1).entries()) {
		yield readPart(track, end - cuts[index]!, reader);
	}
}
