// One recording of any size, the same every time: what the disk, the server and the checks agree on.
import { createCipheriv, createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const headerLength = 44;
const blockLength = 256 * 1024;

/** Noise, so that nothing on the way can make it smaller. */
const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(
	Buffer.alloc(blockLength),
);

/**
 * @param {number} size of the whole file, in bytes
 * @returns {Buffer} the header of 16 bit mono at 48 kHz
 */
function header(size) {
	const bytes = Buffer.alloc(headerLength);
	bytes.write('RIFF', 0, 'latin1');
	bytes.writeUInt32LE(size - 8, 4);
	bytes.write('WAVEfmt ', 8, 'latin1');
	bytes.writeUInt32LE(16, 16);
	bytes.writeUInt16LE(1, 20);
	bytes.writeUInt16LE(1, 22);
	bytes.writeUInt32LE(48_000, 24);
	bytes.writeUInt32LE(96_000, 28);
	bytes.writeUInt16LE(2, 32);
	bytes.writeUInt16LE(16, 34);
	bytes.write('data', 36, 'latin1');
	bytes.writeUInt32LE(size - headerLength, 40);
	return bytes;
}

/**
 * The bytes of the recording of that size. Each block tells its place, so that none can be lost, doubled or
 * swapped unseen.
 * @param {number} size in bytes, from 44 on
 * @returns {Generator<Buffer>}
 */
export function* wavBlocks(size) {
	yield header(size);
	for (let place = headerLength; place < size; place += blockLength) {
		const block = Buffer.from(noise.subarray(0, Math.min(blockLength, size - place)));
		if (block.length >= 6) block.writeUIntLE(place, 0, 6);
		yield block;
	}
}

/**
 * @param {number} size in bytes
 * @returns {string} the recording's sha256
 */
export function wavHash(size) {
	const hash = createHash('sha256');
	for (const block of wavBlocks(size)) hash.update(block);
	return hash.digest('hex');
}

/**
 * @param {string} path
 * @param {number} size in bytes
 * @returns {Promise<void>}
 */
export async function writeWav(path, size) {
	await pipeline(Readable.from(wavBlocks(size)), createWriteStream(path));
}
