import { createDamagedError } from '../conversionError';
import { findBox, listBoxes } from './boxes';
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

/**
 * Reads the number after creation_time and modification_time: the timescale in `mvhd` and `mdhd`, the ID of the track in
 * `tkhd`. The two times have 64 bits in version 1 of a box.
 */
function readFieldAfterTimes(box: Buffer | undefined): number {
	if (box === undefined) return 0;
	const offset = box[0] === 1 ? 20 : 12;
	return box.length < offset + 4 ? 0 : box.readUInt32BE(offset);
}

/** The duration in seconds in `mdhd` (8.4.2) or `mvhd` (8.2.2), which have the same layout; undefined if unknown. */
function findSeconds(box: Buffer | undefined): number | undefined {
	if (box === undefined) return undefined;
	const isLong = box[0] === 1;
	if (box.length < (isLong ? 32 : 20)) return undefined;
	const ticks = isLong ? Number(box.readBigUInt64BE(24)) : box.readUInt32BE(16);
	const timescale = readFieldAfterTimes(box);
	// If all bits are set, the duration is unknown.
	const isKnown = timescale > 0 && ticks > 0 && ticks < 0xffffffff;
	return isKnown ? ticks / timescale : undefined;
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
	const mediaHeader = findBox(track, 'mdia/mdhd');
	const tables = findBox(track, 'mdia/minf/stbl') ?? Buffer.alloc(0);
	const description = findBox(tables, 'stsd');
	return {
		id: readFieldAfterTimes(header),
		isEnabled: ((header?.[3] ?? 0) & 1) === 1,
		fallbackId: readFallbackId(track),
		codec: description ? readTrackCodec(description) : { kind: 'damaged' },
		timescale: readFieldAfterTimes(mediaHeader),
		seconds: findSeconds(mediaHeader),
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
 * @throws {ConversionError} if it contains too many boxes or tracks
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
	const header = findBox(content, 'mvhd');
	return {
		hasVideo: tracks.some(isVideo),
		audioTrack: chooseTrack(audioTracks),
		timescale: readFieldAfterTimes(header),
		seconds: findSeconds(header),
		fragmentDefaults: findBox(content, 'mvex'),
	};
}
