// Recordings of any size, for the disk and for the server.
import { execFileSync } from 'node:child_process';
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
	/** Bytes of audio in each, as they arrive. */
	bytes: number;
	/** How many executions do this work at the same time; 1 by default. */
	executions?: number;
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

/** Bytes per second of what this node converts Opus to (docs/development/conversion.md). */
const convertedBytesPerSecond = 32_000;

/** @returns the bytes of the WAV file that this node makes of this many minutes of Opus */
export function countConvertedBytes(minutes: number): number {
	return wavHeader.length + minutes * 60 * convertedBytesPerSecond;
}

async function writeWav(file: string, bytes: number) {
	await pipeline(Readable.from(createWavBlocks(bytes)), createWriteStream(file));
}

/** @param args of ffmpeg, separated by spaces */
function encodeNoise(file: string, seconds: number, args: string) {
	// With the rhythm of syllables.
	const sound = `anoisesrc=color=pink:sample_rate=48000:duration=${seconds},tremolo=f=4:d=0.9`;
	const input = ['-v', 'error', '-f', 'lavfi', '-i', sound];
	execFileSync('ffmpeg', [...input, ...args.split(' '), file]);
}

/** @param bytes size of the WAV file that this node makes of it */
function writeOpus(file: string, bytes: number) {
	const seconds = (bytes - wavHeader.length) / convertedBytesPerSecond;
	// As messengers encode speech.
	encodeNoise(file, seconds, '-c:a libopus -b:a 32k -application voip');
}

/** Writes 160 x 90 pixels of three bytes, four times a second, which nothing has to encode, and 16 kB/s of AAC. */
function writeFilm(file: string, bytes: number) {
	const seconds = bytes / (160 * 90 * 3 * 4 + 16_000);
	const video = `-f lavfi -i color=s=160x90:r=4:d=${seconds} -c:v rawvideo -pix_fmt rgb24`;
	encodeNoise(file, seconds, `${video} -c:a aac -b:a 128k`);
}

/** How recordings are made, by their extension. */
const writers = { wav: writeWav, opus: writeOpus, mov: writeFilm };

/**
 * Makes the recordings of a load, unless an earlier run has made them.
 *
 * @param folder where all recordings are
 * @returns the folder of these recordings, which have the names `0.wav`, `1.wav` ... and the same content
 */
export async function makeRecordings(
	folder: string,
	{ count, bytes }: Load,
	extension: keyof typeof writers,
): Promise<string> {
	const target = path.join(folder, `${count}-${extension}-of-${bytes}`);
	if (existsSync(target)) return target;
	await mkdir(target, { recursive: true });
	const first = path.join(target, `0.${extension}`);
	await writers[extension](first, bytes);
	for (let index = 1; index < count; index++) {
		await link(first, path.join(target, `${index}.${extension}`));
	}
	return target;
}
