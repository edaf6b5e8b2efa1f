import { fileTypeFromFile } from 'file-type';

/** @typedef {'WAV' | 'MP3' | 'M4A' | 'FLAC'} AudioFormat the documented formats */

/**
 * By the extension that file-type returns. Phones and encoders write M4A files as all of these.
 * @type {Record<string, AudioFormat>}
 */
const FORMATS = {
	...{ wav: 'WAV', mp3: 'MP3', flac: 'FLAC' },
	...{ m4a: 'M4A', m4b: 'M4A', m4p: 'M4A', mp4: 'M4A', '3gp': 'M4A', '3g2': 'M4A' },
};

/**
 * Recognises a recording by its bytes. Its file name and declared type are ignored.
 * @param {string} path
 * @returns {Promise<AudioFormat | undefined>} undefined for any other format
 */
export async function recogniseFormat(path) {
	const type = await fileTypeFromFile(path);
	return type && FORMATS[type.ext];
}
