import { signatures, type Format } from './signatures';
import { textAt } from './bytes';
import { endOfTags } from './tags';

export type { Format };

/** In bytes: enough behind tags to recognise a format, because it holds several frames of MP3. */
export const headLength = 4096;

/** Recognises the format of a file without tags by its first bytes. */
export function formatAt(head: Uint8Array): Format | undefined {
	return signatures.find((signature) => signature.matches(head));
}

/**
 * Recognises a file by its first bytes, regardless of its name and declared type.
 *
 * @param head the first {@link headLength} bytes; fewer if the file is shorter
 * @returns undefined without a known signature, e.g. for raw PCM
 */
export function formatOf(head: Uint8Array): Format | undefined {
	const offset = endOfTags(head);
	const isInsideTag = offset >= head.length && textAt(head, 0, 3) === 'ID3';
	// Nearly all files with a long ID3v2 tag are MP3.
	if (isInsideTag) return signatures.find(({ name }) => name === 'MP3');
	return formatAt(head.subarray(offset));
}

const accepted = ['WAV', 'MP3', 'M4A', 'FLAC'];

/**
 * Whether speech to text and clone take this format (docs/openapi.yaml).
 *
 * @param found undefined is accepted, too: an unknown file may be audio
 */
export function isAccepted(found: Format | undefined): boolean {
	return found === undefined || accepted.includes(found.name);
}

/** Every extension of a known format. */
export const knownExtensions = new Set(signatures.flatMap((signature) => signature.extensions));
