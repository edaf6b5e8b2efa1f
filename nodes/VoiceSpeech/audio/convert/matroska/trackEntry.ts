import {
	alacCookieBytes,
	findOtherTypeName,
	findWaveFormatName,
	readAacConfig,
} from '../../codecs';
import { ConversionError, createDamagedError } from '../../../errors/audioError';
import { codecNames as sampleEntryNames } from '../../isobmff/sampleEntry';
import { listElements, decodeUnsigned } from './ebml';

// Elements of Matroska (RFC 9559), by their IDs with the marker.
const trackNumberElement = 0xd7;
const trackTypeElement = 0x83;
const flagEnabledElement = 0xb9;
const flagDefaultElement = 0x88;
const codecIdElement = 0x86;
const codecPrivateElement = 0x63a2;
const codecDelayElement = 0x56aa;
const contentEncodingsElement = 0x6d80;
const audioElement = 0xe1;
const channelsElement = 0x9f;

const audioTrackType = 2;

/** What `TrackEntry` (5.1.4.1) of a track describes. */
export interface TrackEntry {
	number: number;
	type: number;
	isEnabled: boolean;
	/** Whether players play it if the user has no preference. Several tracks may be default tracks. */
	isDefault: boolean;
	codecId: string;
	codecPrivate: Buffer;
	/** How much of the start is not played; the pre-skip of Opus. */
	codecDelayNs: number;
	channels: number;
	/** Whether its blocks are compressed or encrypted. */
	isEncoded: boolean;
}

/** An empty element has its default (RFC 8794, 6.1), which is 1 for both flags. */
function readFlag(content: Buffer): boolean {
	return content.length === 0 || decodeUnsigned(content) === 1;
}

export function readEntry(content: Buffer): TrackEntry {
	const entry: TrackEntry = {
		number: 0,
		type: 0,
		// Both flags are set if they are missing (5.1.4.1.4 and 5.1.4.1.5).
		isEnabled: true,
		isDefault: true,
		codecId: '',
		codecPrivate: Buffer.alloc(0),
		codecDelayNs: 0,
		channels: 1,
		isEncoded: false,
	};
	for (const element of listElements(content)) {
		if (element.id === trackNumberElement) entry.number = decodeUnsigned(element.content);
		if (element.id === trackTypeElement) entry.type = decodeUnsigned(element.content);
		if (element.id === flagEnabledElement) entry.isEnabled = readFlag(element.content);
		if (element.id === flagDefaultElement) entry.isDefault = readFlag(element.content);
		if (element.id === codecIdElement) {
			entry.codecId = element.content.toString('latin1').replace(/\0.*$/, '');
		}
		if (element.id === codecPrivateElement) entry.codecPrivate = element.content;
		if (element.id === codecDelayElement) entry.codecDelayNs = decodeUnsigned(element.content);
		if (element.id === contentEncodingsElement) entry.isEncoded = true;
		if (element.id !== audioElement) continue;
		for (const setting of listElements(element.content)) {
			if (setting.id === channelsElement) entry.channels = decodeUnsigned(setting.content);
		}
	}
	return entry;
}

export function isOpus({ codecId }: TrackEntry): boolean {
	return codecId === 'A_OPUS';
}

export function isAac(entry: TrackEntry): boolean {
	return hasAacConfig(entry) && findOtherMpeg4Name(entry) === undefined;
}

function hasAacConfig({ codecId, codecPrivate }: TrackEntry): boolean {
	return codecId === 'A_AAC' && codecPrivate.length >= 2;
}

/** The codec of a track that is marked as AAC, but has another codec of MPEG-4; undefined for AAC. */
function findOtherMpeg4Name(entry: TrackEntry): string | undefined {
	if (!hasAacConfig(entry)) return undefined;
	return findOtherTypeName(readAacConfig(entry.codecPrivate).type);
}

function isAlac({ codecId, codecPrivate }: TrackEntry): boolean {
	return codecId === 'A_ALAC' && codecPrivate.length >= alacCookieBytes;
}

function isConverted(entry: TrackEntry): boolean {
	return !entry.isEncoded && (isOpus(entry) || isAac(entry) || isAlac(entry));
}

/** Usual names by the start of the codec ID (RFC 9559 and its registry). */
const codecNames: Array<{ start: string; codec: string }> = [
	{ start: 'A_OPUS', codec: 'Opus, compressed or encrypted' },
	{ start: 'A_AAC', codec: 'AAC in an old or encrypted form' },
	{ start: 'A_VORBIS', codec: 'Vorbis' },
	{ start: 'A_AC3', codec: 'AC-3' },
	{ start: 'A_EAC3', codec: 'E-AC-3' },
	{ start: 'A_DTS', codec: 'DTS' },
	{ start: 'A_TRUEHD', codec: 'TrueHD' },
	{ start: 'A_MLP', codec: 'MLP' },
	{ start: 'A_FLAC', codec: 'FLAC' },
	{ start: 'A_ALAC', codec: 'ALAC, damaged or encrypted' },
	{ start: 'A_MPEG/L3', codec: 'MP3' },
	{ start: 'A_MPEG/L2', codec: 'MP2' },
	{ start: 'A_MPEG/L1', codec: 'MP1' },
	{ start: 'A_PCM', codec: 'PCM' },
	{ start: 'A_TTA', codec: 'TTA' },
	{ start: 'A_WAVPACK', codec: 'WavPack' },
	{ start: 'A_REAL', codec: 'RealAudio' },
	{ start: 'A_MPC', codec: 'Musepack' },
	{ start: 'A_ATRAC', codec: 'ATRAC' },
	{ start: 'A_QUICKTIME/QDM', codec: 'QDesign Music' },
];

/** The usual name of the codec of a track that is not converted. */
function nameCodec(entry: TrackEntry): string {
	const { codecId, codecPrivate } = entry;
	const otherName = entry.isEncoded ? undefined : findOtherMpeg4Name(entry);
	if (otherName !== undefined) return otherName;
	const wrappedName = findWrappedName(codecId, codecPrivate);
	if (wrappedName !== undefined) return wrappedName;
	const name = codecNames.find(({ start }) => codecId.startsWith(start))?.codec;
	return name ?? codecId.replace('A_', '');
}

/** The codec of a track that is described as in another container, RIFF or QuickTime; undefined for any other track. */
function findWrappedName(codecId: string, codecPrivate: Buffer): string | undefined {
	if (codecId === 'A_MS/ACM') return findWaveFormatName(codecPrivate) ?? 'unknown';
	if (codecId !== 'A_QUICKTIME') return undefined;
	// A sample entry, after its length.
	const entryName = codecPrivate.toString('latin1', 4, 8);
	return sampleEntryNames[entryName] ?? entryName.trim();
}

/** Selects the tracks that match; all if none does. */
function preferTracks(tracks: TrackEntry[], matches: (track: TrackEntry) => boolean): TrackEntry[] {
	const matching = tracks.filter(matches);
	return matching.length > 0 ? matching : tracks;
}

/**
 * The first track of audio that can be converted, among those that players play. A track that is not a default track is
 * often another language or a commentary.
 *
 * @throws {ConversionError} if there is none
 */
export function chooseTrack(entries: TrackEntry[]): TrackEntry {
	if (entries.length === 0) throw createDamagedError();
	const tracks = entries.filter(({ type }) => type === audioTrackType);
	const enabled = preferTracks(tracks, ({ isEnabled }) => isEnabled);
	const played = preferTracks(enabled, ({ isDefault }) => isDefault);
	const [first] = played;
	if (first === undefined) throw new ConversionError({ kind: 'noAudio' });
	const chosen = played.find(isConverted);
	if (chosen !== undefined) return chosen;
	throw new ConversionError({ kind: 'codec', codec: nameCodec(first) });
}
