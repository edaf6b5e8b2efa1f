import { ConversionError, createDamagedError, findObstacle } from '../../conversionError';
import { rethrow } from '../../../errors/rethrow';
import { maxConvertedSeconds } from '../../../limits';
import { readBoxHeader, type BoxHeader } from '../../isobmff/boxes';
import { readMovie, type MovieAudioTrack, type Movie } from '../../isobmff/movie';
import type { TrackCodec } from '../../isobmff/sampleEntry';
import type { ForwardReader } from '../forwardReader';
import { opusRate, readOpusHead } from '../opusPackets';
import {
	countTicks,
	type AudioTrack,
	type OpusTrack,
	type PlayedPart,
	type UnchangedFile,
} from '../track';
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
	for (let entry = 0; entry < count; entry++) {
		const offset = 8 + entry * entryBytes;
		if (hasLongTimes) {
			const duration = Number(list.readBigUInt64BE(offset));
			yield { duration, start: Number(list.readBigInt64BE(offset + 8)) };
		} else {
			yield { duration: list.readUInt32BE(offset), start: list.readInt32BE(offset + 4) };
		}
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

/**
 * Reads the header of the next box.
 *
 * @returns undefined at the end, and where no box can be
 */
async function readNextHeader(reader: ForwardReader): Promise<BoxHeader | undefined> {
	const start = await reader.read(8);
	const isLong = start.length === 8 && start.readUInt32BE(0) === 1;
	const rest = isLong ? await reader.read(8) : Buffer.alloc(0);
	return readBoxHeader(Buffer.concat([start, rest]));
}

type KnownCodec = Extract<TrackCodec, { kind: 'known' }>;

/** @throws {ConversionError} if the codec's description is damaged, or several parts are played */
function createOpusTrack(
	packetIndex: PacketIndex,
	audioTrack: MovieAudioTrack,
	{ config }: KnownCodec,
	playedParts: PlayedPart[] = [],
): OpusTrack {
	const [part, ...others] = playedParts;
	// Packets are decoded once, in the order in which they are stored.
	if (others.length > 0) throw new ConversionError({ kind: 'edited' });
	const { preSkip } = readOpusHead(config);
	const toSamples = (ticks: number) => Math.round((ticks * opusRate) / audioTrack.timescale);
	const totalTicks = countTicks(packetIndex);
	const total = toSamples(totalTicks);
	const lastTicks = packetIndex.durations.at(-1)?.ticks ?? 0;
	// An edit list usually includes the pre-skip of the header, so the two are not added.
	const skippedSamples = Math.max(preSkip, toSamples(part?.skippedTicks ?? 0));
	const end = part ? toSamples(part.skippedTicks + part.playedTicks) : total;
	const playedSamples = Math.max(0, Math.min(end, total) - skippedSamples);
	const track: OpusTrack = {
		kind: 'opus',
		links: [{ head: config, packetCount: packetIndex.count, skippedSamples, playedSamples }],
		packetBytes: packetIndex.packetBytes,
		readPackets: (reader) => packetIndex.readPackets(reader),
	};
	const lastPacketStart = toSamples(totalTicks - lastTicks);
	// An edit list that ends before the last packet cuts the end off.
	if (end > lastPacketStart) track.indexedSamplesBeforeLast = lastPacketStart;
	return track;
}

/**
 * @throws {ConversionError} if the codec's description is damaged, the track has no packets, or its edit list cannot be
 * applied
 */
function createTrack(
	packetIndex: PacketIndex,
	movie: Movie,
	audioTrack: MovieAudioTrack,
): AudioTrack {
	const { codec, timescale } = audioTrack;
	if (codec.kind !== 'known' || timescale === 0) throw createDamagedError();
	if (packetIndex.count === 0) throw new ConversionError({ kind: 'noAudio' });
	const playedParts = findPlayedParts(audioTrack, movie, countTicks(packetIndex));
	if (codec.name === 'opus') return createOpusTrack(packetIndex, audioTrack, codec, playedParts);
	return {
		kind: 'copied',
		codec: codec.name,
		config: codec.config,
		samplingRate: codec.samplingRate,
		channels: codec.channels,
		timescale,
		sizes: packetIndex.copySizes(),
		durations: packetIndex.durations,
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

/** Reads to the end of the packets, which may be cut off. */
async function readToEnd(packetIndex: PacketIndex, reader: ForwardReader): Promise<void> {
	await reader.skip(Math.max(0, packetIndex.end - reader.position));
	packetIndex.cutAt(reader.position);
}

/**
 * Reads all fragments that follow. Bytes that cannot be a box end the file, as in ffmpeg.
 *
 * @throws {ConversionError} if `fragmentDefaults` or a fragment is damaged, or {@link PacketIndex.add} rejects a packet
 */
async function addFragments(
	reader: ForwardReader,
	packetIndex: PacketIndex,
	{ id }: MovieAudioTrack,
	fragmentDefaults: Buffer,
): Promise<void> {
	const fragments = new FragmentReader(
		packetIndex,
		id,
		readDefaults(fragmentDefaults),
		reader.yieldToEventLoop,
	);
	for (;;) {
		const start = reader.position;
		const header = await readNextHeader(reader);
		if (header === undefined) return;
		if (header.name !== 'moof') {
			await reader.skip(header.contentLength);
			continue;
		}
		const content = await reader.read(Math.min(header.contentLength, maxIndexBytes));
		// The recorder did not finish this fragment.
		if (content.length < header.contentLength) return;
		await fragments.add(content, start);
	}
}

/** Skips to the content of `moov`, which is the index, and returns the brand of the file (4.3). */
async function skipToMovieBox(
	reader: ForwardReader,
): Promise<{ brand: string; header: BoxHeader | undefined }> {
	let brand = '';
	for (;;) {
		const header = await readNextHeader(reader);
		if (header === undefined || header.name === 'moov') return { brand, header };
		let rest = header.contentLength;
		if (header.name === 'ftyp' && rest >= 4) {
			brand = (await reader.read(4)).toString('latin1');
			rest -= 4;
		}
		await reader.skip(rest);
	}
}

/** @throws {ConversionError} if the index is cut off, too long or damaged */
async function readMovieBox(reader: ForwardReader, { contentLength }: BoxHeader): Promise<Movie> {
	const content = await reader.read(Math.min(contentLength, maxIndexBytes + 1));
	const isCutOff = contentLength !== Infinity && content.length < contentLength;
	if (isCutOff || content.length > maxIndexBytes) throw createDamagedError();
	return readMovie(content);
}

/** @returns undefined if the index is cut off, too long or damaged */
async function tryReadMovieBox(
	reader: ForwardReader,
	header: BoxHeader,
): Promise<Movie | undefined> {
	try {
		return await readMovieBox(reader, header);
	} catch (error) {
		if (findObstacle(error)?.kind === 'damaged') return undefined;
		return rethrow(error);
	}
}

/**
 * Reads an MP4, QuickTime or 3GP file to the end of its audio.
 *
 * @returns an {@link UnchangedFile} for a file with only audio that can be sent as it is
 * @throws {ConversionError} if it is damaged, or has no audio that can be converted
 */
export async function scanIsobmff(reader: ForwardReader): Promise<AudioTrack | UnchangedFile> {
	const { brand, header } = await skipToMovieBox(reader);
	const movie = header === undefined ? undefined : await tryReadMovieBox(reader, header);
	if (movie === undefined) {
		if (audioBrands.includes(brand)) return { kind: 'unchanged' };
		throw createDamagedError();
	}
	if (isSentUnchanged(movie, brand)) return { kind: 'unchanged' };
	const audioTrack = requireAudioTrack(movie);
	const packetIndex = new PacketIndex();
	await addSampleTable(packetIndex, audioTrack.tables, reader.yieldToEventLoop);
	if (movie.fragmentDefaults !== undefined) {
		await addFragments(reader, packetIndex, audioTrack, movie.fragmentDefaults);
	}
	await readToEnd(packetIndex, reader);
	return createTrack(packetIndex, movie, audioTrack);
}
