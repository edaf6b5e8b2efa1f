// One recording of any size, always with the same bytes, for the disk, the server and the checks.
import { createCipheriv, createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const blockLength = 256 * 1024;

/** Noise, so that nothing can compress it. */
const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(
	Buffer.alloc(blockLength),
);

/** 16-bit mono at 48 kHz; the lengths of the file and of the data are at offsets 4 and 40. */
const wavHeader = Buffer.from(
	'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\xbb\0\0\0\x77\x01\0\x02\0\x10\0data\0\0\0\0',
	'latin1',
);

/**
 * @param size in bytes, at least 44
 * @returns the bytes of the recording; each block contains its offset, so that a lost, repeated or moved one changes the hash
 */
export function* wavBlocks(size: number): Generator<Buffer> {
	const header = Buffer.from(wavHeader);
	header.writeUInt32LE(size - 8, 4);
	header.writeUInt32LE(size - header.length, 40);
	yield header;
	for (let offset = header.length; offset < size; offset += blockLength) {
		const block = Buffer.from(noise.subarray(0, Math.min(blockLength, size - offset)));
		if (block.length >= 6) block.writeUIntLE(offset, 0, 6);
		yield block;
	}
}

/**
 * @param size in bytes
 * @returns the recording's sha256
 */
export function wavHash(size: number): string {
	const hash = createHash('sha256');
	for (const block of wavBlocks(size)) hash.update(block);
	return hash.digest('hex');
}

/** @param size in bytes */
export async function writeWav(path: string, size: number) {
	await pipeline(Readable.from(wavBlocks(size)), createWriteStream(path));
}
