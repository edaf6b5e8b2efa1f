import { open } from 'node:fs/promises';
import { OWN_SOFTWARE } from './wav.mjs';

const MOST_METADATA_BYTES = 64 * 1024 * 1024;
/** Chunks that are looked at: a file of zeros would have one in every eight bytes. */
const MOST_CHUNKS = 100;

/**
 * The text that the emulator's own text to speech wrote into a WAV file. Reads only the headers
 * of the file's chunks and its metadata, however long the audio is.
 * @param {string} path a RIFF/WAVE file
 * @returns {Promise<string | undefined>} undefined for a file that somebody else made
 */
export async function readOwnText(path) {
	const file = await open(path);
	try {
		const { size } = await file.stat();
		for (let position = 12, chunks = 0; position + 8 <= size && chunks < MOST_CHUNKS; chunks++) {
			const head = await readBytes(file, position, 8);
			const bytes = head.readUInt32LE(4);
			if (head.toString('latin1', 0, 4) === 'LIST' && bytes <= MOST_METADATA_BYTES) {
				const info = readInfo(await readBytes(file, position + 8, bytes));
				if (info.get('ISFT') === OWN_SOFTWARE) return info.get('ICMT');
			}
			position += 8 + bytes + (bytes % 2);
		}
		return undefined;
	} finally {
		await file.close();
	}
}

/**
 * @param {Buffer} list body of a LIST chunk
 * @returns {Map<string, string>} the values by their four-letter names
 */
function readInfo(list) {
	/** @type {Map<string, string>} */
	const values = new Map();
	if (list.toString('latin1', 0, 4) !== 'INFO') return values;
	for (let position = 4; position + 8 <= list.length; ) {
		const bytes = list.readUInt32LE(position + 4);
		const value = list.toString('utf8', position + 8, position + 8 + bytes);
		values.set(list.toString('latin1', position, position + 4), value.replace(/\0$/, ''));
		position += 8 + bytes + (bytes % 2);
	}
	return values;
}

/**
 * @param {import('node:fs/promises').FileHandle} file
 * @param {number} position
 * @param {number} length
 */
async function readBytes(file, position, length) {
	const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
	return buffer.subarray(0, bytesRead);
}
