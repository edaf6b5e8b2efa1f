// Recordings of any size, for the disk and for the server.
import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { link, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** What a run transfers. */
export interface Load {
	/** Number of recordings, or of texts that become speech. */
	count: number;
	/** Bytes of audio in each. */
	bytes: number;
}

/** Noise, which nothing can compress. */
const noise = randomBytes(256 * 1024);

/** For 16-bit mono at 48 kHz. The lengths of the file and of its data are at offsets 4 and 40. */
const wavHeader = Buffer.from(
	'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\xbb\0\0\0\x77\x01\0\x02\0\x10\0data\0\0\0\0',
	'latin1',
);

/** @param bytes size of the recording, at least that of its header */
export function* createWavBlocks(bytes: number): Generator<Buffer> {
	const header = Buffer.from(wavHeader);
	header.writeUInt32LE(bytes - 8, 4);
	header.writeUInt32LE(bytes - header.length, 40);
	yield header;
	for (let left = bytes - header.length; left > 0; left -= noise.length) {
		yield noise.subarray(0, left);
	}
}

/**
 * Makes the recordings of a load, unless an earlier run has made them.
 *
 * @param folder where all recordings are
 * @returns the folder of these recordings, which have the names `0.wav`, `1.wav` ... and the same content
 */
export async function makeRecordings(folder: string, { count, bytes }: Load): Promise<string> {
	const target = path.join(folder, `${count}-of-${bytes}`);
	if (existsSync(target)) return target;
	await mkdir(target, { recursive: true });
	const first = path.join(target, '0.wav');
	await pipeline(Readable.from(createWavBlocks(bytes)), createWriteStream(first));
	for (let index = 1; index < count; index++) await link(first, path.join(target, `${index}.wav`));
	return target;
}
