import { sniffHead, formats, isPlainText, type Format } from '../audio/format';
import { removeParameters } from '../text/decode';

/** The type that a file of a response is stored as. */
export type FileType = Pick<Format, 'mimeType' | 'extensions'>;

/** The extensions of audio without a header, by its declared subtype. */
const headerlessExtensions: Array<[subtype: RegExp, extension: string]> = [
	[/^(l8|l16|l24|pcm|raw)$/, 'pcm'],
	[/^(basic|pcmu|mulaw)$/, 'ulaw'],
	[/^(pcma|alaw)$/, 'alaw'],
];

/** Signatures so short that raw samples may contain them by chance. */
const shortSignature = /^(MP3|MP2|AAC|JPEG|gzip)$/;

/** What follows `audio/`, `x-` and `vnd.` in a Content-Type; empty if it does not declare audio. */
function readAudioSubtype(contentType: string): string {
	const type = removeParameters(contentType).toLowerCase();
	return /^audio\/(?:x-)?(?:vnd\.)?(.+)/.exec(type)?.[1] ?? '';
}

/** Subtypes of formats with a header that are neither in their usual type nor their extensions. */
const moreHeaderSubtypes = /^(mpeg3|mpg|3gpp2?|aacp|vorbis|speex|flac\+ogg|matroska|amr-wb)$/;

const isDeclaredAs = ({ mimeType, extensions }: Format, subtype: string) =>
	readAudioSubtype(mimeType) === subtype || extensions.includes(subtype);

/**
 * The audio type of a response: the sniffed type, which wins over the declared one; without a header, the declared type
 * if it is audio without a header. Undefined for anything else.
 */
export function findAudioType(head: Uint8Array, contentType: string): FileType | undefined {
	const subtype = readAudioSubtype(contentType);
	const rawExtension = headerlessExtensions.find(([pattern]) => pattern.test(subtype))?.[1];
	const sniffed = sniffHead(head);
	if (sniffed && !(rawExtension !== undefined && shortSignature.test(sniffed.name))) {
		if (sniffed.kind !== 'audio') return undefined;
		const mimeType = removeParameters(contentType).toLowerCase();
		return isDeclaredAs(sniffed, subtype) ? { ...sniffed, mimeType } : sniffed;
	}
	// Other samples than silence are hardly ever valid text.
	if (subtype === '' || isPlainText(head, contentType)) return undefined;
	// The parameters are kept, because raw PCM cannot be played without its sampling rate.
	if (rawExtension !== undefined) return { mimeType: contentType, extensions: [rawExtension] };
	const hasHeader = formats.some((format) => isDeclaredAs(format, subtype));
	// Without the header, the bytes are not what they are declared as.
	if (hasHeader || moreHeaderSubtypes.test(subtype)) return undefined;
	const extension = subtype.replace(/[^a-z0-9]/g, '').slice(0, 16) || 'bin';
	return { mimeType: contentType, extensions: [extension] };
}
