import { signatures, type Format } from './signatures';
import { endOfTagsIn } from './tags';

export type { Format };

/** How many bytes, behind tags in front, are enough to know a file's format: several frames of MP3. */
export const headLength = 4096;

/**
 * Knows a file by its first bytes, whatever its name and announced type are.
 *
 * @param head the first bytes, {@link headLength} of them behind tags where the file is that long
 * @returns undefined for what shows no signature, raw PCM for example
 */
export function formatOf(head: Uint8Array): Format | undefined {
	const start = endOfTagsIn(head);
	const body = head.subarray(start, start + headLength);
	const found = signatures.find((signature) => signature.matches(body));
	if (start === 0 || found?.kind === 'audio') return found;
	// Behind a tag that is too long to look past stands MP3, nearly always.
	return signatures.find(({ name }) => name === 'MP3');
}

const accepted = ['WAV', 'MP3', 'M4A', 'FLAC'];

/** Whether speech to text and voice cloning take this format (interface document, Endpoints). */
export function isAccepted(found: Format | undefined): boolean {
	return found !== undefined && accepted.includes(found.name);
}

/** Every extension that names a known format. */
export const knownExtensions = new Set(signatures.flatMap((signature) => signature.extensions));
