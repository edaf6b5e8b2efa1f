import { createDamagedError } from '../../errors/audioError';
import { findBox, listBoxes, NumberReader } from './boxes';
import { readTrackCodec, type TrackCodec } from './sampleEntry';

// Names, layouts and section numbers are those of ISO/IEC 14496-12.

/** Highest number of tracks in a file. Videos have up to a few dozen, with those of subtitles. */
const maxTracks = 100;

/** What `trak` (8.3.1) of an audio track describes. */
export interface MovieAudioTrack {
	id: number;
	/** Whether players play it unless the user chooses another one. */
	isEnabled: boolean;
	/** The ID of a track with the same audio in another codec, for players that cannot decode this one. */
	fallbackId: number | undefined;
	codec: TrackCodec;
	/** Ticks per second. */
	timescale: number;
	/** Duration without edit list and fragments; undefined if unknown. */
	seconds: number | undefined;
	/** Content of `stbl` (8.5.1). */
	tables: Buffer;
	/** Content of `elst` (8.6.6). */
	edits: Buffer | undefined;
}

/** What `moov` (8.2.1), the index of a file, describes. */
export interface Movie {
	hasVideo: boolean;
	/** The track that is played. */
	audioTrack: MovieAudioTrack | undefined;
	/** Ticks per second of the edit list. */
	timescale: number;
	/** Duration of what is played; undefined if unknown. */
	seconds: number | undefined;
	/** Content of `mvex` (8.8.1) if fragments may follow. */
	fragmentDefaults: Buffer | undefined;
}

/** Reads from the numbers after creation_time and modification_time on, which have 64 bits in version 1 of a box. */
const readAfterTimes = (box: Buffer) => new NumberReader(box, box[0] === 1 ? 20 : 12);

/** What `mdhd` (8.4.2) and `mvhd` (8.2.2) start with. */
interface Times {
	/** Ticks per second. */
	timescale: number;
	/** Undefined if unknown. */
	seconds: number | undefined;
}

/** @throws {ConversionError} if the box is cut off */
function readTimes(box: Buffer | undefined): Times {
	if (box === undefined) return { timescale: 0, seconds: undefined };
	const numbers = readAfterTimes(box);
	const timescale = numbers.next();
	const ticks = box[0] === 1 ? numbers.nextLong() : numbers.next();
	// If all bits are set, the duration is unknown.
	const isKnown = timescale > 0 && ticks > 0 && ticks < 0xffffffff;
	return { timescale, seconds: isKnown ? ticks / timescale : undefined };
}

/** The kind of a track, in `hdlr` (8.4.3). */
function readHandler(track: Buffer): string | undefined {
	return findBox(track, 'mdia/hdlr')?.toString('latin1', 8, 12);
}

/** Whether a track is video, and not pictures of chapters or a cover, whose sample entry is a format of images. */
function isVideo(track: Buffer): boolean {
	if (readHandler(track) !== 'vide') return false;
	const entryName = findBox(track, 'mdia/minf/stbl/stsd')?.toString('latin1', 12, 16) ?? '';
	return !['jpeg', 'png '].includes(entryName);
}

/** Reads the track reference of type `fall`, which Apple defines (mp4ra.org), in `tref` (8.3.3). */
function readFallbackId(track: Buffer): number | undefined {
	const ids = findBox(track, 'tref/fall');
	return ids !== undefined && ids.length >= 4 ? ids.readUInt32BE(0) : undefined;
}

function readMovieAudioTrack(track: Buffer): MovieAudioTrack {
	const header = findBox(track, 'tkhd');
	const tables = findBox(track, 'mdia/minf/stbl') ?? Buffer.alloc(0);
	const description = findBox(tables, 'stsd');
	return {
		id: header === undefined ? 0 : readAfterTimes(header).next(),
		isEnabled: ((header?.[3] ?? 0) & 1) === 1,
		fallbackId: readFallbackId(track),
		codec: description ? readTrackCodec(description) : { kind: 'damaged' },
		...readTimes(findBox(track, 'mdia/mdhd')),
		tables,
		edits: findBox(track, 'edts/elst'),
	};
}

/**
 * Takes a track that players play: the first one that can be converted, or else one with the same audio. A track that is
 * not enabled is often another language or a commentary. If none is enabled, all tracks count.
 */
function chooseTrack(tracks: MovieAudioTrack[]): MovieAudioTrack | undefined {
	const enabled = tracks.filter(({ isEnabled }) => isEnabled);
	const played = enabled.length > 0 ? enabled : tracks;
	const fallbackIds = played.map(({ fallbackId }) => fallbackId);
	const fallbacks = tracks.filter(({ id }) => fallbackIds.includes(id));
	const convertible = [...played, ...fallbacks].find(({ codec }) => codec.kind === 'known');
	return convertible ?? played[0];
}

/**
 * Reads the index of a file.
 *
 * @param content of `moov`
 * @throws {ConversionError} if it contains too many boxes or tracks, or a header that is cut off
 */
export function readMovie(content: Buffer): Movie {
	const tracks: Buffer[] = [];
	for (const box of listBoxes(content)) {
		if (box.name === 'trak') tracks.push(box.content);
	}
	if (tracks.length > maxTracks) throw createDamagedError();
	const audioTracks = tracks
		.filter((track) => readHandler(track) === 'soun')
		.map(readMovieAudioTrack);
	return {
		hasVideo: tracks.some(isVideo),
		audioTrack: chooseTrack(audioTracks),
		...readTimes(findBox(content, 'mvhd')),
		fragmentDefaults: findBox(content, 'mvex'),
	};
}
