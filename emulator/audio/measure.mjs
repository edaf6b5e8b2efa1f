import { parseFile } from 'music-metadata';
import { truncate } from 'node:fs/promises';

/** Beyond this the length of a file without an index is estimated, not counted frame by frame. */
const MOST_BYTES_TO_COUNT = 20 * 1024 * 1024;
const MOST_MS = 3_000;

/**
 * @typedef {object} Measures each undefined where the file does not tell
 * @property {number | undefined} seconds
 * @property {number | undefined} sampleRate Hz
 * @property {number | undefined} channels
 */

/**
 * Measures a recording. A file with nonsense after its audio can take minutes: after three seconds
 * it is emptied, at which its parser ends with what it has.
 * @param {string} path of a file that nobody needs after this
 * @param {number} bytes its size
 * @returns {Promise<Measures | undefined>} undefined where it cannot be read as audio at all
 */
export async function measure(path, bytes) {
	const timer = setTimeout(() => void truncate(path).catch(() => {}), MOST_MS);
	try {
		const { format } = await parseFile(path, {
			skipCovers: true,
			duration: bytes <= MOST_BYTES_TO_COUNT,
		});
		return {
			seconds: format.duration,
			sampleRate: format.sampleRate,
			channels: format.numberOfChannels,
		};
	} catch {
		return undefined;
	} finally {
		clearTimeout(timer);
	}
}
