import { open } from 'node:fs/promises';

/** @typedef {'WAV' | 'MP3' | 'M4A' | 'FLAC'} AudioFormat the four of the interface document */

const ID3_HEADER_BYTES = 10;
const M4A_BRANDS = ['M4A ', 'M4B ', 'mp41', 'mp42', 'isom', 'iso2', 'iso4', 'iso5', 'iso6', 'dash'];

/**
 * Recognises a recording by its bytes; its name and announced type play no part.
 * Source: interface document, "Formats"; that the bytes decide is the emulator's own choice.
 * @param {string} path
 * @returns {Promise<AudioFormat | undefined>} undefined for everything else
 */
export async function recogniseFormat(path) {
	const file = await open(path);
	try {
		const start = await readAt(file, 0);
		if (start.toString('latin1', 0, 3) !== 'ID3') return formatOf(start);
		// An ID3 tag may stand before an MP3 and, against the rules, before a FLAC.
		const tagBytes = start
			.subarray(6, ID3_HEADER_BYTES)
			.reduce((size, byte) => size * 128 + (byte & 0x7f), 0);
		return formatOf(await readAt(file, ID3_HEADER_BYTES + tagBytes)) === 'FLAC' ? 'FLAC' : 'MP3';
	} finally {
		await file.close();
	}
}

/**
 * @param {import('node:fs/promises').FileHandle} file
 * @param {number} position
 */
async function readAt(file, position) {
	const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, position);
	return buffer.subarray(0, bytesRead);
}

/** @param {Buffer} start @returns {AudioFormat | undefined} */
function formatOf(start) {
	if (start.length < 12) return undefined;
	const text = start.toString('latin1');
	if (text.startsWith('RIFF') && text.slice(8, 12) === 'WAVE') return 'WAV';
	if (text.startsWith('fLaC')) return 'FLAC';
	if (text.slice(4, 8) === 'ftyp' && M4A_BRANDS.includes(text.slice(8, 12))) return 'M4A';
	return isMp3Frame(start) ? 'MP3' : undefined;
}

/**
 * A frame header of MPEG audio layer III: eleven set bits, then no reserved value.
 * @param {Buffer} start
 */
function isMp3Frame(start) {
	const header = start.readUInt32BE(0);
	return (
		header >>> 21 === 0x7ff &&
		((header >>> 19) & 3) !== 1 &&
		((header >>> 17) & 3) === 1 &&
		((header >>> 12) & 15) !== 15 &&
		((header >>> 10) & 3) !== 3
	);
}
