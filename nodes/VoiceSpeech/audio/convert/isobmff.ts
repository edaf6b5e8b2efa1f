import { findBox, readBoxHeader, type BoxHeader } from './boxes';
import type { ForwardReader } from './forwardReader';
import { FragmentReader, readDefaults } from './fragments';
import { opusRate, readOpusHead } from './opusPackets';
import { PacketIndex } from './packetIndex';
import {
	ConversionError,
	countTicks,
	createDamagedError,
	type AudioTrack,
	type CopiedTrack,
	type OpusTrack,
	type UnchangedFile,
} from './recording';
import { readAudioFormat, type AudioFormat } from './sampleEntry';
import { addSampleTable } from './sampleTable';

// Names, layouts and section numbers are those of ISO/IEC 14496-12.

/** Longest index of one track or fragment in bytes. The sizes of five million packets take 20 MB. */
const maxIndexBytes = 32 * 1024 * 1024;

const maxTracks = 100;

/** A track of sound. */
interface SoundTrack {
	id: number;
	/** Played unless another one is chosen. */
	isEnabled: boolean;
	format: AudioFormat;
	/** Ticks per second. */
	timescale: number;
	/** Content of `stbl` (8.5.1). */
	tables: Buffer;
	/** Content of `elst` (8.6.6). */
	edits: Buffer | undefined;
}

/** What `moov` (8.2.1) describes. */
interface Movie {
	hasVideo: boolean;
	/** The track that is played. */
	sound: SoundTrack | undefined;
	/** Ticks per second of the edit list. */
	timescale: number;
	/** Content of `mvex` (8.8.1) if fragments may follow. */
	extension: Buffer | undefined;
}

async function readContent(reader: ForwardReader, length: number): Promise<Buffer> {
	if (length > maxIndexBytes) throw createDamagedError();
	const content = await reader.read(length);
	if (content.length < length) throw createDamagedError();
	return content;
}

/** The timescale, or the ID of a track, which follows two times. In version 1 of a box, these have 64 bits. */
function readAfterTimes(box: Buffer | undefined): number {
	if (box === undefined) return 0;
	const offset = box[0] === 1 ? 20 : 12;
	return box.length < offset + 4 ? 0 : box.readUInt32BE(offset);
}

/** Content of `hdlr` (8.4.3): the kind of a track. */
const readHandler = (track: Buffer) => findBox(track, 'mdia/hdlr')?.toString('latin1', 8, 12);

/** Whether a track has pictures of chapters, or a cover. Its first sample entry is then a format of images. */
function isPicture(track: Buffer): boolean {
	const name = findBox(track, 'mdia/minf/stbl/stsd')?.toString('latin1', 12, 16) ?? '';
	return ['jpeg', 'png '].includes(name);
}

function readSoundTrack(track: Buffer): SoundTrack {
	const header = findBox(track, 'tkhd');
	const tables = findBox(track, 'mdia/minf/stbl') ?? Buffer.alloc(0);
	const description = findBox(tables, 'stsd');
	return {
		id: readAfterTimes(header),
		isEnabled: ((header?.[3] ?? 0) & 1) === 1,
		format: description ? readAudioFormat(description) : { kind: 'damaged' },
		timescale: readAfterTimes(findBox(track, 'mdia/mdhd')),
		tables,
		edits: findBox(track, 'edts/elst'),
	};
}

/** Like ffmpeg, prefers tracks that are enabled, then the first one; but before that, one that can be converted. */
const rankTrack = ({ format, isEnabled }: SoundTrack) =>
	(format.kind === 'known' ? 2 : 0) + (isEnabled ? 1 : 0);

async function readMovie(reader: ForwardReader, { length }: BoxHeader): Promise<Movie> {
	const movie: Movie = { hasVideo: false, sound: undefined, timescale: 0, extension: undefined };
	const end = reader.position + length;
	let tracks = 0;
	while (reader.position < end) {
		const header = await readBoxHeader(reader);
		if (header === undefined) break;
		const isRead = ['mvhd', 'mvex', 'trak'].includes(header.name);
		if (!isRead) {
			await reader.skip(Math.min(header.length, end - reader.position));
			continue;
		}
		const content = await readContent(reader, header.length);
		if (header.name === 'mvhd') movie.timescale = readAfterTimes(content);
		if (header.name === 'mvex') movie.extension = content;
		if (header.name !== 'trak') continue;
		tracks++;
		if (tracks > maxTracks) throw createDamagedError();
		const kind = readHandler(content);
		if (kind === 'vide' && !isPicture(content)) movie.hasVideo = true;
		if (kind !== 'soun') continue;
		const sound = readSoundTrack(content);
		const { sound: chosen } = movie;
		if (chosen === undefined || rankTrack(sound) > rankTrack(chosen)) movie.sound = sound;
	}
	return movie;
}

/** What an edit list (8.6.6) plays, in ticks of the track; undefined if it plays everything. */
function readEdit(
	{ edits, timescale }: SoundTrack,
	movieTimescale: number,
	total: number,
): CopiedTrack['edit'] {
	if (edits === undefined || edits.length < 8 || movieTimescale === 0) return undefined;
	const isLong = edits[0] === 1;
	const entryBytes = isLong ? 20 : 12;
	const count = Math.min(edits.readUInt32BE(4), Math.floor((edits.length - 8) / entryBytes));
	let first: number | undefined;
	let end = 0;
	for (let entry = 0; entry < count; entry++) {
		const offset = 8 + entry * entryBytes;
		const duration = isLong ? Number(edits.readBigUInt64BE(offset)) : edits.readUInt32BE(offset);
		const start = isLong ? Number(edits.readBigInt64BE(offset + 8)) : edits.readInt32BE(offset + 4);
		// -1: the track starts later than the film. What is played is the same.
		if (start < 0) continue;
		first ??= start;
		// A recorder that writes fragments does not know the duration.
		const played = duration === 0 ? Infinity : Math.round((duration * timescale) / movieTimescale);
		end = Math.max(end, start + played);
	}
	if (first === undefined || first >= total) return undefined;
	return { skip: first, length: Math.min(end, total) - first };
}

type KnownFormat = Extract<AudioFormat, { kind: 'known' }>;

function createOpusTrack(
	index: PacketIndex,
	sound: SoundTrack,
	{ config }: KnownFormat,
	edit: CopiedTrack['edit'],
): OpusTrack {
	const { preSkip } = readOpusHead(config);
	const toSamples = (ticks: number) => Math.round((ticks * opusRate) / sound.timescale);
	const total = toSamples(countTicks(index));
	// An edit list repeats the header's number of samples.
	const skip = Math.max(preSkip, toSamples(edit?.skip ?? 0));
	const end = edit ? toSamples(edit.skip + edit.length) : total;
	return {
		kind: 'opus',
		segments: [
			{
				head: config,
				packets: index.count,
				skip,
				length: Math.max(0, Math.min(end, total) - skip),
			},
		],
		bytes: index.bytes,
		readPackets: (reader) => index.readPackets(reader),
	};
}

function createTrack(index: PacketIndex, movie: Movie, sound: SoundTrack): AudioTrack {
	const { format, timescale } = sound;
	if (format.kind !== 'known' || timescale === 0) throw createDamagedError();
	if (index.count === 0) throw new ConversionError({ reason: 'noAudio' });
	const edit = readEdit(sound, movie.timescale, countTicks(index));
	if (format.codec === 'opus') return createOpusTrack(index, sound, format, edit);
	return {
		kind: 'copied',
		codec: format.codec,
		config: format.config,
		samplingRate: format.samplingRate,
		channels: format.channels,
		timescale,
		sizes: index.copySizes(),
		durations: index.durations,
		edit,
		readPackets: (reader) => index.readPackets(reader),
	};
}

/** Whether the service takes a file as it is. */
function isSentUnchanged({ hasVideo, sound }: Movie, brand: string): boolean {
	if (hasVideo || brand === 'qt  ' || sound === undefined) return false;
	const { format } = sound;
	return format.kind === 'damaged' || (format.kind === 'known' && format.codec !== 'opus');
}

/** @throws {ConversionError} if there is no track of sound, or its codec is not converted */
function requireSound({ sound }: Movie): SoundTrack {
	if (sound === undefined) throw new ConversionError({ reason: 'noAudio' });
	const { format } = sound;
	if (format.kind === 'notConverted') {
		throw new ConversionError({ reason: 'codec', codec: format.codec });
	}
	return sound;
}

/** Reads to the end of the packets, which may be cut off. */
async function readToEnd(index: PacketIndex, reader: ForwardReader): Promise<void> {
	await reader.skip(Math.max(0, index.end - reader.position));
	index.cutAt(reader.position);
}

/** Reads all fragments that follow. Where no box can be, the file ends for ffmpeg too. */
async function addFragments(
	reader: ForwardReader,
	index: PacketIndex,
	{ id }: SoundTrack,
	extension: Buffer,
): Promise<void> {
	const fragments = new FragmentReader(index, id, readDefaults(extension), reader.yieldTurn);
	for (;;) {
		const header = await readBoxHeader(reader);
		if (header === undefined) return;
		if (header.name !== 'moof') {
			await reader.skip(header.length);
			continue;
		}
		const content = await reader.read(Math.min(header.length, maxIndexBytes));
		// A recording that was not finished.
		if (content.length < header.length) return;
		await fragments.add(content, header.start);
	}
}

/** Reads the brand of the file (4.3), and to its `moov`. */
async function findMovie(
	reader: ForwardReader,
): Promise<{ brand: string; header: BoxHeader | undefined }> {
	let brand = '';
	for (;;) {
		const header = await readBoxHeader(reader);
		if (header === undefined || header.name === 'moov') return { brand, header };
		let { length } = header;
		if (header.name === 'ftyp' && length >= 4) {
			brand = (await reader.read(4)).toString('latin1');
			length -= 4;
		}
		await reader.skip(length);
	}
}

/** Brands of files with only audio. */
const audioBrands = ['M4A ', 'M4B ', 'M4P '];

/**
 * Reads an MP4, QuickTime or 3GP file to the end of its audio.
 *
 * @returns an {@link UnchangedFile} for a file with only audio that can be sent as it is
 */
export async function scanIsobmff(reader: ForwardReader): Promise<AudioTrack | UnchangedFile> {
	const { brand, header } = await findMovie(reader);
	if (header === undefined) {
		if (audioBrands.includes(brand)) return { kind: 'unchanged' };
		throw createDamagedError();
	}
	const movie = await readMovie(reader, header);
	if (isSentUnchanged(movie, brand)) return { kind: 'unchanged' };
	const sound = requireSound(movie);
	const index = new PacketIndex();
	await addSampleTable(index, sound.tables, reader.yieldTurn);
	if (movie.extension !== undefined) await addFragments(reader, index, sound, movie.extension);
	await readToEnd(index, reader);
	return createTrack(index, movie, sound);
}
