import { formatOf, type Format } from '../audio/format';
import { isText, withoutParameters } from '../text/decode';

/** The type that a file of a response is stored as. */
export type FileType = Pick<Format, 'mimeType' | 'extensions'>;

/** The subtypes that formats with a header are declared as, without `x-` and `vnd.`. */
const subtypes: Array<[format: string, subtype: RegExp]> = [
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

/** The extensions of audio without a header, by its declared subtype. */
const rawExtensions: Array<[subtype: RegExp, extension: string]> = [
	[/^(l8|l16|l24|pcm|raw)$/, 'pcm'],
	[/^(basic|pcmu|mulaw)$/, 'ulaw'],
	[/^(pcma|alaw)$/, 'alaw'],
];

const rawExtension = (subtype: string) =>
	rawExtensions.find(([pattern]) => pattern.test(subtype))?.[1];

/** Signatures so short that raw samples may contain them by chance. */
const shortSignature = /^(MP3|MP2|AAC|JPEG|gzip)$/;

/** What follows `audio/` in a Content-Type; empty if it does not declare audio. */
function audioSubtype(contentType: string): string {
	const type = withoutParameters(contentType).toLowerCase();
	return /^audio\/(?:x-)?(?:vnd\.)?(.+)/.exec(type)?.[1] ?? '';
}

/** Whether a Content-Type declares audio. */
export function isAudioDeclared(contentType: string): boolean {
	return audioSubtype(contentType) !== '';
}

/** The type of bytes without a recognisable header, by their declared type alone. */
function declaredType(contentType: string): FileType | undefined {
	const subtype = audioSubtype(contentType);
	if (subtype === '') return undefined;
	// A format with a header, and the header is missing: the bytes are not what they are declared as.
	if (subtypes.some(([, pattern]) => pattern.test(subtype))) return undefined;
	const extension =
		rawExtension(subtype) ?? (subtype.replace(/[^a-z0-9]/g, '').slice(0, 16) || 'bin');
	// With its parameters: without its sampling rate, raw PCM cannot be played.
	return { mimeType: contentType, extensions: [extension] };
}

/**
 * The audio type of a response: the sniffed type, which wins over the declared one; without a header, the declared type
 * if it is audio without a header.
 *
 * @param head the first bytes
 * @param contentType as declared, with its parameters
 * @returns undefined if the response is not audio
 */
export function audioTypeOf(head: Uint8Array, contentType: string): FileType | undefined {
	const subtype = audioSubtype(contentType);
	const sniffed = formatOf(head);
	const isRaw = rawExtension(subtype) !== undefined;
	if (sniffed === undefined || (isRaw && shortSignature.test(sniffed.name))) {
		// Samples vary: they are never valid text throughout.
		return isText(head, contentType) ? undefined : declaredType(contentType);
	}
	if (sniffed.kind !== 'audio') return undefined;
	const isOwnType = subtypes.some(
		([format, pattern]) => format === sniffed.name && pattern.test(subtype),
	);
	const mimeType = withoutParameters(contentType).toLowerCase();
	return isOwnType ? { ...sniffed, mimeType } : sniffed;
}
