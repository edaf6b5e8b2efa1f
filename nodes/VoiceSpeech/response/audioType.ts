import { sniffHead, formats, isPlainText, type Format, type FormatName } from '../audio/format';
import { isDeclaredAsText, isText, removeParameters } from '../text/decode';

/** The type that a file of a response is stored as. */
export interface FileType extends Pick<Format, 'mimeType' | 'extensions'> {
	/** Whether the first bytes or the declared type show which format of audio it is. */
	isKnownAudio: boolean;
}

/** The extensions of raw PCM and G.711, which have no header, by their declared subtype. */
const rawExtensions = new Map([
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

/** Signatures so short that raw samples may contain them by chance, for example silence in G.711. */
const shortSignatures: FormatName[] = ['MP3', 'MP2', 'AAC', 'JPEG', 'gzip'];

/** What follows `audio/`, `x-` and `vnd.` in a Content-Type; empty if it does not declare audio. */
function readAudioSubtype(contentType: string): string {
	const type = removeParameters(contentType).toLowerCase();
	return /^audio\/(?:x-)?(?:vnd\.)?(.+)/.exec(type)?.[1] ?? '';
}

function isDeclaredAs({ kind, mimeType, extensions }: Format, subtype: string): boolean {
	return (
		kind === 'audio' && (readAudioSubtype(mimeType) === subtype || extensions.includes(subtype))
	);
}

/** The extension for a declared type whose format the first bytes do not show. */
function findDeclaredExtension(contentType: string): string {
	const subtype = readAudioSubtype(contentType);
	const type = removeParameters(contentType).toLowerCase();
	const format = formats.find((one) => isDeclaredAs(one, subtype) || one.mimeType === type);
	return format?.extensions[0] ?? (subtype.replace(/[^a-z0-9]/g, '').slice(0, 16) || 'bin');
}

/**
 * The format that the first bytes of a response show.
 *
 * @param isDeclaredRaw whether it is declared as audio without a header
 */
function sniffResponse(head: Uint8Array, isDeclaredRaw: boolean): Format | undefined {
	const format = sniffHead(head);
	if (format === undefined) return undefined;
	const isByChance = isDeclaredRaw && shortSignatures.includes(format.name);
	return isByChance ? undefined : format;
}

/**
 * Whether a response is text or empty.
 *
 * @param expectsAudio the operation promises audio, so what looks like text without white space may be silence
 */
export function isTextResponse(
	head: Uint8Array,
	contentType: string,
	expectsAudio: boolean,
): boolean {
	if (head.length === 0) return true;
	const format = sniffHead(head);
	// A file of another kind may begin with text, e.g. PDF.
	if (format !== undefined) {
		return /text|xml|json/.test(format.mimeType) && isText(head, contentType);
	}
	// Raw samples are hardly ever valid text, except for silence.
	const mayBeAudio = expectsAudio && !isDeclaredAsText(contentType);
	const mayBeSilence = mayBeAudio || readAudioSubtype(contentType) !== '';
	return mayBeSilence ? isPlainText(head, contentType) : isText(head, contentType);
}

/**
 * The type of a response that is neither text nor empty. What its first bytes show wins over its declared type.
 */
export function findFileType(head: Uint8Array, contentType: string): FileType {
	const subtype = readAudioSubtype(contentType);
	const rawExtension = rawExtensions.get(subtype);
	const format = sniffResponse(head, rawExtension !== undefined);
	// A group of formats has no type of its own.
	if (format !== undefined && format.mimeType !== '') {
		const { extensions, kind } = format;
		const isDeclared = isDeclaredAs(format, subtype);
		const mimeType = isDeclared ? removeParameters(contentType).toLowerCase() : format.mimeType;
		return { mimeType, extensions, isKnownAudio: kind === 'audio' };
	}
	// The parameters are kept, because raw PCM cannot be played without its sampling rate.
	const mimeType = subtype === '' ? removeParameters(contentType) : contentType;
	return {
		mimeType: mimeType || 'application/octet-stream',
		extensions: [rawExtension ?? findDeclaredExtension(contentType)],
		isKnownAudio: rawExtension !== undefined,
	};
}
