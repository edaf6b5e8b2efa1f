import { formatOf, type Format } from '../audio/format';
import { isText } from '../text/decode';
import { withoutParameters } from '../text/mediaType';

/** As what a file that came out is stored. */
export type FileType = Pick<Format, 'mimeType' | 'extensions'>;

/** The types under which a format with a header of its own is announced, without `audio/`, `x-` and `vnd.`. */
const announcedAs: Array<[name: string, types: RegExp]> = [
	['WAV', /^wave?$/],
	['MP3', /^(mp3|mpeg|mpeg3|mpg)$/],
	['FLAC', /^flac$/],
	['M4A', /^(mp4|m4a|m4b|3gpp2?)$/],
	['AAC', /^(aac|aacp)$/],
	['OGG Opus', /^(ogg|opus)$/],
	['OGG', /^(ogg|vorbis|speex|flac\+ogg)$/],
	['WebM', /^(webm|matroska)$/],
	['AMR', /^amr(-wb)?$/],
	['AIFF', /^aiff?$/],
	['AU', /^(au|snd)$/],
	['CAF', /^caf$/],
	['WMA', /^(ms-wma|wma)$/],
	['MP2', /^(mp2|mpeg|mpa)$/],
];

/** The extensions of audio without a header of its own: known by its announced type alone. */
const headerless = new Map([
	['l8', 'pcm'],
	['l16', 'pcm'],
	['l24', 'pcm'],
	['pcm', 'pcm'],
	['raw', 'pcm'],
	['basic', 'ulaw'],
	['pcmu', 'ulaw'],
	['mulaw', 'ulaw'],
	['pcma', 'alaw'],
	['alaw', 'alaw'],
]);

/** Signatures so short that raw samples may show one by chance. */
const mayBeChance = /^(MP3|MP2|AAC|JPEG|gzip)$/;

/** @returns type without parameters, and what stands behind `audio/`: empty for what is announced as no audio */
function announcedBy(contentType: string): { type: string; audio: string } {
	const type = withoutParameters(contentType).toLowerCase();
	return { type, audio: /^audio\/(?:x-)?(?:vnd\.)?(.+)/.exec(type)?.[1] ?? '' };
}

/** Whether a Content-Type says that audio comes. */
export function isAnnouncedAsAudio(contentType: string): boolean {
	return announcedBy(contentType).audio !== '';
}

/** What the announced type alone says, for bytes without a recognisable header. */
function byAnnouncement(audio: string, contentType: string): FileType | undefined {
	if (audio === '') return undefined;
	// This format has a header, and it is not there: the bytes are not what they are announced as.
	if (announcedAs.some(([, types]) => types.test(audio))) return undefined;
	const extension =
		headerless.get(audio) ?? (audio.replace(/[^a-z0-9]/g, '').slice(0, 16) || 'bin');
	// The parameters stay: without its sampling rate, raw PCM can't be played.
	return { mimeType: contentType, extensions: [extension] };
}

/**
 * What audio an answer is: by its header where it has one, which is right against the announced type; else by the
 * announced type, if that names audio without a header.
 *
 * @param head the answer's first bytes
 * @param contentType as announced, with its parameters
 * @returns undefined for what is no audio
 */
export function audioTypeOf(head: Uint8Array, contentType: string): FileType | undefined {
	const { type, audio } = announcedBy(contentType);
	const found = formatOf(head);
	const isSure = found !== undefined && !(headerless.has(audio) && mayBeChance.test(found.name));
	if (!isSure) {
		// Samples swing: they are never text from the first byte to the last.
		return isText(head, contentType) ? undefined : byAnnouncement(audio, contentType);
	}
	if (found.kind !== 'audio') return undefined;
	const isOwnType = announcedAs.some(([name, types]) => name === found.name && types.test(audio));
	return isOwnType ? { ...found, mimeType: type } : found;
}
