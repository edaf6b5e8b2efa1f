import { alacCookieBytes } from '../../codecs';
import { ConversionError, createDamagedError } from '../../conversionError';
import { listElements, readUnsigned } from './ebml';

// Elements of Matroska (RFC 9559), by their IDs with the marker.
const trackNumberElement = 0xd7;
const trackTypeElement = 0x83;
const codecIdElement = 0x86;
const codecPrivateElement = 0x63a2;
const contentEncodingsElement = 0x6d80;
const audioElement = 0xe1;
const channelsElement = 0x9f;

const audioTrackType = 2;

/** A track of the recording. */
export interface TrackEntry {
	number: number;
	type: number;
	codecId: string;
	codecPrivate: Buffer;
	channels: number;
	/** Whether its blocks are compressed or encrypted. */
	isEncoded: boolean;
}

export function readEntry(content: Buffer): TrackEntry {
	const entry: TrackEntry = {
		number: 0,
		type: 0,
		codecId: '',
		codecPrivate: Buffer.alloc(0),
		channels: 1,
		isEncoded: false,
	};
	for (const element of listElements(content)) {
		if (element.id === trackNumberElement) entry.number = readUnsigned(element.content);
		if (element.id === trackTypeElement) entry.type = readUnsigned(element.content);
		if (element.id === codecIdElement) {
			entry.codecId = element.content.toString('latin1').replace(/\0.*$/, '');
		}
		if (element.id === codecPrivateElement) entry.codecPrivate = element.content;
		if (element.id === contentEncodingsElement) entry.isEncoded = true;
		if (element.id !== audioElement) continue;
		for (const setting of listElements(element.content)) {
			if (setting.id === channelsElement) entry.channels = readUnsigned(setting.content);
		}
	}
	return entry;
}

export function isOpus({ codecId }: TrackEntry): boolean {
	return codecId === 'A_OPUS';
}

export function isAac({ codecId, codecPrivate }: TrackEntry): boolean {
	return codecId === 'A_AAC' && codecPrivate.length >= 2;
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
];

/**
 * The first track of audio that can be converted.
 *
 * @throws {ConversionError} if there is none
 */
export function chooseTrack(entries: TrackEntry[]): TrackEntry {
	if (entries.length === 0) throw createDamagedError();
	const tracks = entries.filter(({ type }) => type === audioTrackType);
	const [first] = tracks;
	if (first === undefined) throw new ConversionError({ reason: 'noAudio' });
	const chosen = tracks.find(isConverted);
	if (chosen !== undefined) return chosen;
	const name = codecNames.find(({ start }) => first.codecId.startsWith(start))?.codec;
	throw new ConversionError({ reason: 'codec', codec: name ?? first.codecId.replace('A_', '') });
}
