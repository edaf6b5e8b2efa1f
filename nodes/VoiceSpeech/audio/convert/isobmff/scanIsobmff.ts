import {
	ConversionError,
	createDamagedError,
	findObstacle,
	type Obstacle,
} from '../../../errors/audioError';
import { rethrow } from '../../../errors/bases';
import { NumberReader, walkBoxes, type FileBox } from '../../isobmff/boxes';
import { readMovie, type MovieAudioTrack, type Movie } from '../../isobmff/movie';
import type { TrackCodec } from '../../isobmff/sampleEntry';
import { maxConvertedSeconds } from '../../../limits';
import { countSamples, opusRate, readOpusHead } from '../opus';
import type { ForwardReader, ReadAgain } from '../../../streams/forwardReader';
import type { AudioTrack, OpusTrack, PlayedPart, UnchangedFile } from '../track';
import { FragmentReader, readDefaults } from './fragments';
import { PacketIndex } from './packetIndex';
import { addSampleTable } from './sampleTable';

// Names, layouts and section numbers are those of ISO/IEC 14496-12.

/** An entry of an edit list (8.6.6). */
interface Edit {
	/** Duration in ticks of the movie. 0 means up to the end, if a recorder that writes fragments did not know it. */
	duration: number;
	/** Start in ticks of the track. It is -1 where nothing is played, so that the track starts later than the movie. */
	start: number;
}

/** @param list content of `elst` */
function* listEdits(list: Buffer): Generator<Edit> {
	if (list.length < 8) return;
	const hasLongTimes = list[0] === 1;
	const entryBytes = hasLongTimes ? 20 : 12;
	const count = Math.min(list.readUInt32BE(4), Math.floor((list.length - 8) / entryBytes));
	const numbers = new NumberReader(list, 8);
	for (let entry = 0; entry < count; entry++) {
		const duration = hasLongTimes ? numbers.nextLong() : numbers.next();
		const signed = numbers.next() | 0;
		yield { duration, start: hasLongTimes ? signed * 2 ** 32 + numbers.next() : signed };
		// The speed, which is 1.
		numbers.skip(4);
	}
}

function countPlayedEdits(list: Buffer): number {
	let count = 0;
	for (const { start } of listEdits(list)) {
		if (start >= 0) count++;
	}
	return count;
}

/** Maximum number of parts that an edit list plays. Editors write one for each cut. */
const maxPlayedParts = 10_000;

/**
 * Finds the parts that an edit list plays, in playing order. Adjacent edits are one part. Edits that play nothing (start
 * -1) are left out, so no silence is inserted.
 *
 * @param total duration of all packets in ticks of the track
 * @returns in ticks of the track; undefined without a usable edit list
 * @throws {ConversionError} if there are too many parts
 */
function findPlayedParts(
	{ edits, timescale }: MovieAudioTrack,
	{ timescale: movieTimescale, fragmentDefaults }: Movie,
	total: number,
): PlayedPart[] | undefined {
	if (edits === undefined || movieTimescale === 0) return undefined;
	const isOnlyEdit = countPlayedEdits(edits) === 1;
	const openEndTicks = fragmentDefaults !== undefined || isOnlyEdit ? Infinity : 0;
	const parts: PlayedPart[] = [];
	// Adjacent edits may differ by a tick of the track and one of the movie, because both times are rounded. A tick of the
	// movie may be long, so it counts as 10 ms at most.
	const tolerance = 1 + timescale * Math.min(1 / movieTimescale, 0.01);
	for (const { duration, start } of listEdits(edits)) {
		const ticks = Math.round((duration * timescale) / movieTimescale);
		const played = duration === 0 ? openEndTicks : ticks;
		if (start < 0 || start >= total || played === 0) continue;
		const end = Math.min(start + played, total);
		const last = parts.at(-1);
		const lastEnd = last === undefined ? -Infinity : last.skippedTicks + last.playedTicks;
		const isAdjacent = Math.abs(start - lastEnd) <= tolerance;
		if (last !== undefined && isAdjacent) {
			last.playedTicks = end - last.skippedTicks;
			continue;
		}
		parts.push({ skippedTicks: start, playedTicks: end - start });
		if (parts.length > maxPlayedParts) throw new ConversionError({ kind: 'edited' });
	}
	return parts.length === 0 ? undefined : parts;
}

/**
 * Longest index of a file or fragment in bytes. That of a video has about 900 bytes for each second, and one with 60
 * frames per second about 1,630 (measured with ffmpeg).
 */
const maxIndexBytes = 2000 * maxConvertedSeconds;

type KnownCodec = Extract<TrackCodec, { kind: 'known' }>;

/** Counts the samples of all packets but the last. */
async function countSamplesBeforeLast(packets: AsyncIterable<Buffer>): Promise<number> {
	let total = 0;
	let last = 0;
	for await (const packet of packets) {
		total += last;
		last = countSamples(packet);
	}
	return total;
}

/**
 * @param readAgain to measure the packets, because the index may be wrong
 * @throws {ConversionError} if the codec's description is damaged, or several parts are played
 */
async function createOpusTrack(
	packetIndex: PacketIndex,
	audioTrack: MovieAudioTrack,
	{ config }: KnownCodec,
	playedParts: PlayedPart[] = [],
	readAgain: ReadAgain,
): Promise<OpusTrack> {
	const [part, ...others] = playedParts;
	// Packets are decoded once, in the order in which they are stored.
	if (others.length > 0) throw new ConversionError({ kind: 'edited' });
	const { preSkip } = readOpusHead(config);
	const toSamples = (ticks: number) => Math.round((ticks * opusRate) / audioTrack.timescale);
	const { totalTicks } = packetIndex;
	const total = toSamples(totalTicks);
	const lastTicks = packetIndex.durations.at(-1) ?? 0;
	// An edit list usually includes the pre-skip of the header, so the two are not added.
	const skippedSamples = Math.max(preSkip, toSamples(part?.skippedTicks ?? 0));
	const end = part ? toSamples(part.skippedTicks + part.playedTicks) : total;
	const playedSamples = Math.max(0, Math.min(end, total) - skippedSamples);
	const link = { head: config, packetCount: packetIndex.count, skippedSamples, playedSamples };
	const lastPacketStart = toSamples(totalTicks - lastTicks);
	// An edit list that ends before the last packet cuts the end off.
	if (end > lastPacketStart) {
		// Packets may last longer than the index specifies, because a recorder may store arrival times instead of durations.
		// The last one keeps its duration, which specifies how much of it is played (Encapsulation of Opus in ISO BMFF).
		const measured = await readAgain(
			async (reader) => await countSamplesBeforeLast(packetIndex.readPackets(reader)),
		);
		link.playedSamples += Math.max(0, measured - lastPacketStart);
	}
	return {
		kind: 'opus',
		links: [link],
		packetBytes: packetIndex.sizes.totalBytes,
		readPackets: (reader) => packetIndex.readPackets(reader),
	};
}

/**
 * @throws {ConversionError} if the codec's description is damaged, or its edit list cannot be applied
 */
async function createTrack(
	packetIndex: PacketIndex,
	movie: Movie,
	audioTrack: MovieAudioTrack,
	readAgain: ReadAgain,
): Promise<AudioTrack> {
	const { codec, timescale } = audioTrack;
	if (codec.kind !== 'known' || timescale === 0) throw createDamagedError();
	const playedParts = findPlayedParts(audioTrack, movie, packetIndex.totalTicks);
	if (codec.name === 'opus') {
		return await createOpusTrack(packetIndex, audioTrack, codec, playedParts, readAgain);
	}
	return {
		kind: 'copied',
		codec: codec.name,
		config: codec.config,
		samplingRate: codec.samplingRate,
		channels: codec.channels,
		timescale,
		...packetIndex.sizes.describe(),
		durations: packetIndex.durations,
		totalTicks: packetIndex.totalTicks,
		playedParts,
		readPackets: (reader) => packetIndex.readPackets(reader),
	};
}

/** Brands of files with only audio. Where such a file cannot be read, it is sent as it is. */
const audioBrands = ['M4A ', 'M4B ', 'M4P '];

/** Whether a file is M4A, which docs/openapi.yaml documents, so that it is sent as it is. */
function isSentUnchanged({ hasVideo, audioTrack }: Movie, brand: string): boolean {
	if (hasVideo || brand === 'qt  ') return false;
	if (audioTrack === undefined) return audioBrands.includes(brand);
	const { codec } = audioTrack;
	return codec.kind === 'damaged' || (codec.kind === 'known' && codec.name !== 'opus');
}

/** @throws {ConversionError} if the file has no audio track, or its codec is not converted */
function requireAudioTrack({ audioTrack }: Movie): MovieAudioTrack {
	if (audioTrack === undefined) throw new ConversionError({ kind: 'noAudio' });
	const { codec } = audioTrack;
	if (codec.kind === 'notConverted') {
		throw new ConversionError({ kind: 'codec', codec: codec.name });
	}
	return audioTrack;
}

/**
 * Adds the packets of the fragments that follow, until there are `maxCount`. Bytes that cannot be a box end the file, as in
 * ffmpeg.
 *
 * @returns whether there were fragments, and the file was not cut off after them
 * @throws {ConversionError} if `fragmentDefaults` or a fragment is damaged, or {@link PacketIndex.add} rejects a packet
 */
async function addFragments(
	reader: ForwardReader,
	packetIndex: PacketIndex,
	{ id }: MovieAudioTrack,
	fragmentDefaults: Buffer,
	maxCount: number,
): Promise<boolean> {
	const fragments = new FragmentReader(
		packetIndex,
		id,
		readDefaults(fragmentDefaults),
		reader.yieldToEventLoop,
	);
	let hasFragments = false;
	let end = reader.position;
	for await (const { name, start, contentStart, contentLength } of walkBoxes(reader, end)) {
		end = contentStart + contentLength;
		if (name !== 'moof') continue;
		hasFragments = true;
		await reader.skip(contentStart - reader.position);
		const content = await reader.read(Math.min(contentLength, maxIndexBytes));
		// The recorder did not finish this fragment.
		if (content.length < contentLength) break;
		await fragments.add(content, start);
		if (packetIndex.count >= maxCount) break;
	}
	const isEntire = end === Infinity || reader.position >= end;
	return hasFragments && isEntire;
}

/**
 * Reads to the end of the packets of a track, which may be cut off, or of the first `maxCount` or more.
 *
 * @param reader after the index
 * @throws {ConversionError} if there are none, the file is damaged, or {@link PacketIndex.add} rejects a packet
 */
async function readPacketIndex(
	reader: ForwardReader,
	{ fragmentDefaults }: Movie,
	audioTrack: MovieAudioTrack,
	maxCount = Infinity,
): Promise<PacketIndex> {
	const { yieldToEventLoop } = reader;
	const packetIndex = new PacketIndex();
	await addSampleTable(packetIndex, audioTrack.tables, yieldToEventLoop, maxCount);
	let isEntire = true;
	if (fragmentDefaults !== undefined && packetIndex.count < maxCount) {
		isEntire = await addFragments(reader, packetIndex, audioTrack, fragmentDefaults, maxCount);
	}
	const hadPackets = packetIndex.count > 0;
	await reader.skip(Math.max(0, packetIndex.end - reader.position));
	await packetIndex.cutAt(reader.position, yieldToEventLoop);
	if (packetIndex.count > 0) return packetIndex;
	throw new ConversionError({ kind: hadPackets || !isEntire ? 'headerOnly' : 'noAudio' });
}

/** Boxes that a segment of a stream begins with (8.8.4, 8.16, ISO/IEC 23009-1). */
const segmentBoxes = ['styp', 'sidx', 'ssix', 'emsg', 'prft', 'moof'];

/** What is in front of `moov`, which is the index. */
interface FileStart {
	/** The brand of the file (4.3). */
	brand: string;
	/** Whether the file begins as a segment, so that programs that expect a file do not recognize it. */
	isSegment: boolean;
	/** Whether fragments are in front of the index. */
	hasFragments: boolean;
	/** `moov`; undefined if there is none. */
	movieBox: FileBox | undefined;
}

/** Walks up to `moov`. */
async function findMovieBox(reader: ForwardReader): Promise<FileStart> {
	const file: FileStart = { brand: '', isSegment: false, hasFragments: false, movieBox: undefined };
	for await (const box of walkBoxes(reader)) {
		const { name, contentStart } = box;
		if (name === 'moov') return { ...file, movieBox: box };
		// Behind `ftyp`, boxes of a segment are usual.
		file.isSegment ||= file.brand === '' && segmentBoxes.includes(name);
		file.hasFragments ||= name === 'moof';
		if (name === 'ftyp') file.brand = (await reader.peekAt(contentStart, 4)).toString('latin1');
	}
	return file;
}

/** @throws {ConversionError} if the index is cut off, too long or damaged */
async function readMovieBox(
	reader: ForwardReader,
	{ contentStart, contentLength }: FileBox,
): Promise<Movie> {
	await reader.skip(contentStart - reader.position);
	const content = await reader.read(Math.min(contentLength, maxIndexBytes + 1));
	const isCutOff = contentLength !== Infinity && content.length < contentLength;
	if (isCutOff || content.length > maxIndexBytes) throw createDamagedError();
	return readMovie(content);
}

/**
 * Waits for what is read.
 *
 * @param kinds of obstacles; undefined for all
 * @returns undefined if one of them prevents the reading
 */
async function ignoreObstacles<Result>(
	result: Promise<Result>,
	kinds?: Array<Obstacle['kind']>,
): Promise<Result | undefined> {
	try {
		return await result;
	} catch (error) {
		const kind = findObstacle(error)?.kind;
		if (kind !== undefined && (kinds === undefined || kinds.includes(kind))) return undefined;
		return rethrow(error);
	}
}

/** Obstacles of a file that is damaged, or that the node reads differently than others. */
const damage: Array<Obstacle['kind']> = ['damaged', 'order'];

/**
 * Reads an MP4, QuickTime or 3GP file to the end of its audio, or a file that is sent unchanged to the end of its first
 * packet.
 *
 * @param readAgain calls a function with another reader at the start of the file, which replaces the first
 * @param indexesM4a whether the packets of a file that is sent unchanged are read too
 * @returns an {@link UnchangedFile} for a file that is sent unchanged, and whose packets are not read
 * @throws {ConversionError} if it is damaged, or has no audio that can be converted
 */
export async function scanIsobmff(
	reader: ForwardReader,
	readAgain: ReadAgain,
	indexesM4a = false,
): Promise<AudioTrack | UnchangedFile> {
	const { brand, isSegment, hasFragments, movieBox } = await findMovieBox(reader);
	if (movieBox === undefined && (isSegment || hasFragments)) {
		throw new ConversionError({ kind: 'segment' });
	}
	const movie =
		movieBox === undefined
			? undefined
			: await ignoreObstacles(readMovieBox(reader, movieBox), damage);
	if (movie === undefined) {
		if (audioBrands.includes(brand)) return { kind: 'unchanged' };
		throw createDamagedError();
	}
	const { audioTrack } = movie;
	const isUnchanged = !isSegment && isSentUnchanged(movie, brand);
	if (isUnchanged && (!indexesM4a || audioTrack?.codec.kind !== 'known')) {
		if (audioTrack) await ignoreObstacles(readPacketIndex(reader, movie, audioTrack, 1), damage);
		return { kind: 'unchanged' };
	}
	const track = requireAudioTrack(movie);

	async function readTrack(found: Movie): Promise<AudioTrack> {
		const packetIndex = hasFragments
			? await readAgain(async (start) => await readPacketIndex(start, found, track))
			: await readPacketIndex(reader, found, track);
		return await createTrack(packetIndex, found, track, readAgain);
	}

	if (!isUnchanged) return await readTrack(movie);
	const read = await ignoreObstacles(readTrack(movie));
	if (read?.kind !== 'copied') return { kind: 'unchanged' };
	return { ...read, isSentUnchanged: true };
}
