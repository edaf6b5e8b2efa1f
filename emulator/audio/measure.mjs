import { parseFile } from 'music-metadata';

/** Beyond this the length of a file without an index is estimated, not counted frame by frame. */
const MOST_BYTES_TO_COUNT = 20 * 1024 * 1024;

/**
 * @typedef {object} Measures each undefined where the file does not tell
 * @property {number | undefined} seconds
 * @property {number | undefined} sampleRate Hz
 * @property {number | undefined} channels
 */

/**
 * Measures a recording.
 * @param {string} path
 * @param {number} bytes its size
 * @returns {Promise<Measures | undefined>} undefined where it cannot be read as audio at all
 */
export async function measure(path, bytes) {
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
	}
}
