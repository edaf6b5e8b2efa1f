import { formatOf, type Format } from '../audio/format';
import { isText } from '../text/decode';

/** The types under which a format with a header of its own is announced, without `audio/`, `x-` and `vnd.`. */
const announcedAs: Partial<Record<string, RegExp>> = {
	WAV: /^wave?$/,
	MP3: /^(mp3|mpeg|mpeg3|mpg)$/,
	FLAC: /^flac$/,
	M4A: /^(mp4|m4a|m4b)$/,
	AAC: /^(aac|aacp)$/,
	'OGG Opus': /^(ogg|opus)$/,
	OGG: /^(ogg|vorbis|speex|flac\+ogg)$/,
	WebM: /^(webm|matroska)$/,
	AMR: /^amr(-wb)?$/,
	AIFF: /^aiff?$/,
	AU: /^(au|snd)$/,
	CAF: /^caf$/,
	WMA: /^(ms-wma|wma)$/,
	'3GP': /^3gpp2?$/,
	MP2: /^(mp2|mpeg|mpa)$/,
};

/** Audio without a header of its own: known by its announced type alone. */
const headerless = new Map<string, [name: string, extension: string]>([
	['l8', ['PCM', 'pcm']],
	['l16', ['PCM', 'pcm']],
	['l24', ['PCM', 'pcm']],
	['pcm', ['PCM', 'pcm']],
	['raw', ['PCM', 'pcm']],
	['basic', ['G.711', 'ulaw']],
	['pcmu', ['G.711', 'ulaw']],
	['mulaw', ['G.711', 'ulaw']],
	['pcma', ['G.711', 'alaw']],
	['alaw', ['G.711', 'alaw']],
]);

/** Signatures so short that raw samples may show one by chance. */
const mayBeChance = /^(MP3|MP2|AAC|JPEG|gzip)$/;

/** @returns type without parameters, and what stands behind `audio/`: empty for what is announced as no audio */
function announcedBy(contentType: string): { type: string; audio: string } {
	const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
	return { type, audio: /^audio\/(?:x-)?(?:vnd\.)?(.+)$/.exec(type)?.[1] ?? '' };
}

/** Whether a Content-Type says that audio comes. */
export function isAnnouncedAsAudio(contentType: string): boolean {
	return announcedBy(contentType).audio !== '';
}

/** What the announced type alone says, for bytes without a recognisable header. */
function byAnnouncement(audio: string, contentType: string): Format | undefined {
	if (audio === '') return undefined;
	// This format has a header, and it is not there: the bytes are not what they are announced as.
	if (Object.values(announcedAs).some((types) => types?.test(audio))) return undefined;
	const [name, extension] = headerless.get(audio) ?? [
		audio.toUpperCase(),
		audio.replace(/[^a-z0-9]/g, '').slice(0, 16) || 'bin',
	];
	// The parameters stay: without its sampling rate, raw PCM can't be played.
	return { name, mimeType: contentType.trim(), extensions: [extension], kind: 'audio' };
}

/**
 * What audio an answer is: by its header where it has one, which is right against the announced type; else by the
 * announced type, if that names audio without a header (contract, Output).
 *
 * @param head the answer's first bytes
 * @param contentType as announced, with its parameters
 * @returns undefined for what is no audio
 */
export function audioFormatOf(head: Uint8Array, contentType: string): Format | undefined {
	if (head.length === 0) return undefined;
	const { type, audio } = announcedBy(contentType);
	const found = formatOf(head);
	const byChance = headerless.has(audio) && mayBeChance.test(found?.name ?? '');
	if (found === undefined || byChance) {
		// Samples swing: they are never text from the first byte to the last.
		return isText(head, contentType) ? undefined : byAnnouncement(audio, contentType);
	}
	if (found.kind !== 'audio') return undefined;
	return announcedAs[found.name]?.test(audio) === true ? { ...found, mimeType: type } : found;
}
