import { parseFile } from 'music-metadata';
import { truncate } from 'node:fs/promises';
import { OWN_SOFTWARE } from './wav.mjs';

/** The length of a larger file without an index is estimated, not counted frame by frame. */
const MAX_BYTES_TO_COUNT = 20 * 1024 * 1024;
const TIMEOUT_MS = 3_000;

/**
 * @typedef {object} Measures undefined where the file does not specify them
 * @property {number} [seconds] to two decimals
 * @property {number} [sampleRate] Hz
 * @property {number} [channels]
 * @property {string} [ownText] the text in the metadata, if the emulator's text to speech made the file
 */

/**
 * Measures a recording, and empties the file after three seconds: that ends the parser, which would
 * take minutes for a file with garbage after its audio.
 * @param {string} path of a file that is not needed any more
 * @param {number} bytes its size
 * @returns {Promise<Measures>}
 */
export async function measure(path, bytes) {
	const timer = setTimeout(() => void truncate(path).catch(() => {}), TIMEOUT_MS);
	try {
		const { format, native } = await parseFile(path, {
			skipCovers: true,
			duration: bytes <= MAX_BYTES_TO_COUNT,
		});
		const tags = new Map(native.exif?.map(({ id, value }) => [id, String(value)]));
		return {
			seconds: format.duration && Math.round(format.duration * 100) / 100,
			sampleRate: format.sampleRate,
			channels: format.numberOfChannels,
			...(tags.get('ISFT') === OWN_SOFTWARE && { ownText: JSON.parse(tags.get('ICMT') ?? '""') }),
		};
	} catch {
		return {};
	} finally {
		clearTimeout(timer);
	}
}
