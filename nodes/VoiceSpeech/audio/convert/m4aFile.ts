import { ConversionError } from '../../errors/audioError';
import type { ForwardReader } from '../../streams/forwardReader';
import {
	chunkBytes,
	type ConvertedFile,
	type CopiedTrack,
	countPlayedTicks,
	joinPackets,
	type PlayedPart,
} from './track';

// Encodes boxes of MP4 (ISO/IEC 14496-12, 4.2), their numbers, and descriptors (ISO/IEC 14496-1, 8.3.3).

export function encodeUint16(...values: number[]): Buffer {
	const bytes = Buffer.alloc(2 * values.length);
	values.forEach((value, index) => bytes.writeUInt16BE(value, 2 * index));
	return bytes;
}

export function encodeUint32(...values: number[]): Buffer {
	const bytes = Buffer.alloc(4 * values.length);
	values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index));
	return bytes;
}

function encodeUint64(...values: number[]): Buffer {
	const bytes = Buffer.alloc(8 * values.length);
	values.forEach((value, index) => bytes.writeBigUInt64BE(BigInt(value), 8 * index));
	return bytes;
}

/** Many numbers of 32 bits, which are encoded when they are written, in steps. */
interface NumberTable {
	/** In bytes. */
	length: number;
	/** Yields buffers of at most 64 KiB. */
	encode(): Generator<Buffer>;
}

/** Numbers that are encoded at a time. */
const numbersPerStep = 16 * 1024;

/** @param getNumber called for each index once, in order */
function createNumberTable(count: number, getNumber: (index: number) => number): NumberTable {
	function* encode(): Generator<Buffer> {
		for (let first = 0; first < count; first += numbersPerStep) {
			const bytes = Buffer.alloc(4 * Math.min(numbersPerStep, count - first));
			for (let offset = 0; offset < bytes.length; offset += 4) {
				bytes.writeUInt32BE(getNumber(first + offset / 4), offset);
			}
			yield bytes;
		}
	}
	return { length: 4 * count, encode };
}

function computeLength(parts: Array<Buffer | NumberTable>): number {
	return parts.reduce((sum, { length }) => sum + length, 0);
}

/** The header of a box, and the parts of its content. Some parts may be encoded later. */
function wrapInBox<Part extends Buffer | NumberTable>(
	name: string,
	content: Part[],
): Array<Buffer | Part> {
	const header = Buffer.concat([
		encodeUint32(8 + computeLength(content)),
		Buffer.from(name, 'latin1'),
	]);
	return [header, ...content];
}

export function createBox(name: string, content: Buffer[]): Buffer {
	return Buffer.concat(wrapInBox(name, content));
}

/** A box that starts with a version and flags. */
function createFullBox(name: string, content: Buffer[], { version = 0, flags = 0 } = {}): Buffer {
	return createBox(name, [encodeUint32((version << 24) | flags), ...content]);
}

/** A descriptor with a length of four bytes, as most tools write it. */
export function createDescriptor(tag: number, content: Buffer[]): Buffer {
	const bytes = Buffer.concat(content);
	const length = [
		((bytes.length >> 21) & 127) | 128,
		((bytes.length >> 14) & 127) | 128,
		((bytes.length >> 7) & 127) | 128,
		bytes.length & 127,
	];
	return Buffer.concat([Buffer.from([tag, ...length]), bytes]);
}

// Names, layouts and section numbers without a source are those of ISO/IEC 14496-12. All times are in ticks of the
// track. Those of the headers and of the edit list have 64 bits (version 1 of a box).

/** The ID of the only track. */
const trackId = 1;

/** The number of the only data reference (8.7.2), which is this file. */
const dataReferenceIndex = 1;

/** A fixed-point number with 16 bits after the point. */
const normalSpeed = 0x10000;

/** A fixed-point number with 8 bits after the point. */
const fullVolume = 0x100;

/** No rotation (6.2.2). */
const unityMatrix = encodeUint32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** When a file was created and changed, where 0 is unknown. */
const unknownTimes = encodeUint64(0, 0);

/** Describes AAC (ISO/IEC 14496-14, 5.6). */
function createEsds(config: Buffer, largestPacket: number, bitRate: number): Buffer {
	const mpeg4Audio = Buffer.from([0x40]);
	const audioStream = Buffer.from([0x15]);
	const decoder = createDescriptor(4, [
		mpeg4Audio,
		audioStream,
		// Length of the decoder's buffer.
		encodeUint32(largestPacket).subarray(1),
		// Highest and mean bit rate.
		encodeUint32(bitRate, bitRate),
		createDescriptor(5, [config]),
	]);
	const syncLayer = createDescriptor(6, [Buffer.from([2])]);
	const streamId = Buffer.from([0, trackId, 0]);
	return createFullBox('esds', [createDescriptor(3, [streamId, decoder, syncLayer])]);
}

/** A sample entry (12.2.3). */
function createSampleEntry(track: CopiedTrack, bitRate: number): Buffer {
	const { codec, config, channels, samplingRate, largestPacket } = track;
	const isAac = codec === 'aac';
	const sampleBits = isAac ? 16 : config[5]!;
	// The rate is the upper half of a fixed-point number, where a rate above 65,535 Hz does not fit.
	const rate = samplingRate > 0xffff ? 0 : samplingRate;
	return createBox(isAac ? 'mp4a' : 'alac', [
		encodeUint16(0, 0, 0, dataReferenceIndex, 0, 0, 0, 0),
		encodeUint16(channels, sampleBits, 0, 0, rate, 0),
		isAac ? createEsds(config, largestPacket, bitRate) : createFullBox('alac', [config]),
	]);
}

/** Parts of the index, which has megabytes for a long recording. So its tables are encoded while they are written. */
type Parts = Array<Buffer | NumberTable>;

/** Sizes of all packets (8.7.3.2). */
function createSizeTable(sizes: Uint32Array): Parts {
	const entries = createNumberTable(sizes.length, (index) => sizes[index]!);
	return wrapInBox('stsz', [encodeUint32(0, 0, sizes.length), entries]);
}

/** Durations of all packets (8.6.1.2). */
function createDurationTable(durations: CopiedTrack['durations']): Parts {
	const entries = createNumberTable(durations.length, (index) => durations[index]!);
	return wrapInBox('stts', [encodeUint32(0, durations.length / 2), entries]);
}

/**
 * Describes all packets (8.5.1), which are in one chunk.
 *
 * @param chunkOffset where the chunk starts, a `stco` box
 */
function createSampleTable(track: CopiedTrack, bitRate: number, chunkOffset: Buffer): Parts {
	const { durations, sizes } = track;
	return wrapInBox('stbl', [
		createFullBox('stsd', [encodeUint32(1), createSampleEntry(track, bitRate)]),
		...createDurationTable(durations),
		// One entry with the first chunk, its number of packets, and the number of their sample entry.
		createFullBox('stsc', [encodeUint32(1, 1, sizes.length, 1)]),
		...createSizeTable(sizes),
		chunkOffset,
	]);
}

/** The sound of the track (8.4.1). */
function createMedia(timescale: number, duration: number, sampleTable: Parts): Parts {
	// No language (`und`).
	const language = encodeUint16(0x55c4, 0);
	const header = [unknownTimes, encodeUint32(timescale), encodeUint64(duration), language];
	const handler = [encodeUint32(0), Buffer.from('soun'), encodeUint32(0, 0, 0), Buffer.alloc(1)];
	// The packets are in this file.
	const dataReference = createFullBox('dref', [
		encodeUint32(1),
		createFullBox('url ', [], { flags: 1 }),
	]);
	return wrapInBox('mdia', [
		createFullBox('mdhd', header, { version: 1 }),
		createFullBox('hdlr', handler),
		...wrapInBox('minf', [
			createFullBox('smhd', [encodeUint32(0)]),
			createBox('dinf', [dataReference]),
			...sampleTable,
		]),
	]);
}

/** The parts of the track that are played, at normal speed (8.6.6). */
function createEditList(parts: PlayedPart[]): Buffer {
	const edits = parts.flatMap(({ skippedTicks, playedTicks }) => [
		encodeUint64(playedTicks, skippedTicks),
		encodeUint32(normalSpeed),
	]);
	const content = [encodeUint32(parts.length), ...edits];
	return createBox('edts', [createFullBox('elst', content, { version: 1 })]);
}

/** A `tkhd` box (8.3.2) of a track that is used at full volume. */
function createTrackHeader(played: number): Buffer {
	const content = [
		unknownTimes,
		encodeUint32(trackId, 0),
		encodeUint64(played),
		encodeUint32(0, 0),
		encodeUint16(0, 0, fullVolume, 0),
		unityMatrix,
		encodeUint32(0, 0),
	];
	// The track is enabled, in the movie, and in its preview.
	return createFullBox('tkhd', content, { version: 1, flags: 7 });
}

/** A `mvhd` box (8.2.2) for normal speed and full volume. */
function createMovieHeader(timescale: number, played: number): Buffer {
	const content = [
		unknownTimes,
		encodeUint32(timescale),
		encodeUint64(played),
		encodeUint32(normalSpeed),
		encodeUint16(fullVolume, 0),
		encodeUint32(0, 0),
		unityMatrix,
		Buffer.alloc(24),
		encodeUint32(trackId + 1),
	];
	return createFullBox('mvhd', content, { version: 1 });
}

/** The index of the file, `moov` (8.2.1). */
function createMovieBox(track: CopiedTrack, chunkOffset: Buffer): Parts {
	const { timescale, playedParts, packetBytes, totalTicks: duration } = track;
	const played = countPlayedTicks(track);
	const seconds = duration / timescale;
	const bitRate = Math.min(0xffffffff, Math.round((packetBytes * 8) / (seconds || 1)));
	const sampleTable = createSampleTable(track, bitRate, chunkOffset);
	const trackBox = wrapInBox('trak', [
		createTrackHeader(played),
		...(playedParts === undefined ? [] : [createEditList(playedParts)]),
		...createMedia(timescale, duration, sampleTable),
	]);
	return wrapInBox('moov', [createMovieHeader(timescale, played), ...trackBox]);
}

/** The major brand, the minor version, and the compatible brands (4.3). */
const fileType = createBox('ftyp', [
	Buffer.from('M4A '),
	encodeUint32(512),
	Buffer.from('M4A isommp42'),
]);

/** The header of the box with the packets. */
function createDataHeader(packetBytes: number): Buffer {
	const name = Buffer.from('mdat');
	const isLong = packetBytes + 8 > 0xffffffff;
	if (isLong) return Buffer.concat([encodeUint32(1), name, encodeUint64(packetBytes + 16)]);
	return Buffer.concat([encodeUint32(packetBytes + 8), name]);
}

/** Everything before the packets. */
function createFileStart(track: CopiedTrack): Parts {
	const chunkOffset = createFullBox('stco', [encodeUint32(1, 0)]);
	const movieBox = createMovieBox(track, chunkOffset);
	const parts = [fileType, ...movieBox, createDataHeader(track.packetBytes)];
	// Written only now, because it depends on the length of the index.
	chunkOffset.writeUInt32BE(computeLength(parts), chunkOffset.length - 4);
	return parts;
}

/** Encodes the tables in steps, and joins what is short. */
function* encodeParts(parts: Parts): Generator<Buffer> {
	let joined: Buffer[] = [];
	for (const part of parts) {
		for (const bytes of 'encode' in part ? part.encode() : [part]) {
			joined.push(bytes);
			if (computeLength(joined) < chunkBytes) continue;
			yield Buffer.concat(joined);
			joined = [];
		}
	}
	yield Buffer.concat(joined);
}

/**
 * Passes on the packets.
 *
 * @throws {ConversionError} if they have other sizes than the index says
 */
async function* checkSizes(
	packets: AsyncIterable<Buffer>,
	sizes: Uint32Array,
): AsyncGenerator<Buffer> {
	let count = 0;
	for await (const packet of packets) {
		if (packet.length !== sizes[count]) throw new ConversionError({ kind: 'changed' });
		count++;
		yield packet;
	}
	if (count !== sizes.length) throw new ConversionError({ kind: 'changed' });
}

/** Prepares an M4A file with the index first, into which the packets of a track are copied when the file is read. */
export function prepareM4a(track: CopiedTrack): ConvertedFile {
	const { sizes, packetBytes } = track;
	const fileStart = createFileStart(track);

	async function* chunks(reader: ForwardReader): AsyncGenerator<Uint8Array> {
		for (const bytes of encodeParts(fileStart)) {
			await reader.yieldToEventLoop();
			yield bytes;
		}
		yield* joinPackets(checkSizes(track.readPackets(reader), sizes));
	}

	return { size: computeLength(fileStart) + packetBytes, chunks };
}
