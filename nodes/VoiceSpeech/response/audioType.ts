import { sniffHead, formats, isPlainText, type Format, type FormatName } from '../audio/format';
import { removeParameters } from '../text/decode';

/** The type that a file of a response is stored as. */
export type FileType = Pick<Format, 'mimeType' | 'extensions'>;

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

function isDeclaredAs({ mimeType, extensions }: Format, subtype: string): boolean {
	return readAudioSubtype(mimeType) === subtype || extensions.includes(subtype);
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
 * The audio type of a response. What its first bytes show wins over its declared type, which counts for audio without a
 * header.
 *
 * @returns undefined if the response is not audio
 */
export function findAudioType(head: Uint8Array, contentType: string): FileType | undefined {
	if (head.length === 0) return undefined;
	const subtype = readAudioSubtype(contentType);
	const rawExtension = rawExtensions.get(subtype);
	const format = sniffResponse(head, rawExtension !== undefined);
	if (format !== undefined) {
		if (format.kind !== 'audio') return undefined;
		const mimeType = removeParameters(contentType).toLowerCase();
		return isDeclaredAs(format, subtype) ? { ...format, mimeType } : format;
	}
	// Raw samples are hardly ever valid text, except for silence.
	if (subtype === '' || isPlainText(head, contentType)) return undefined;
	// The parameters are kept, because raw PCM cannot be played without its sampling rate.
	if (rawExtension !== undefined) return { mimeType: contentType, extensions: [rawExtension] };
	// Without the header of the declared format, the bytes are not what they are declared as.
	if (formats.some((one) => isDeclaredAs(one, subtype))) return undefined;
	const extension = subtype.replace(/[^a-z0-9]/g, '').slice(0, 16) || 'bin';
	return { mimeType: contentType, extensions: [extension] };
}
