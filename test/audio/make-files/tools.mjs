/** The tools that make a file and measure it, and the table that both go into. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../files', import.meta.url));
const scratch = mkdtempSync(path.join(tmpdir(), 'recordings-'));
/**
 * @typedef {{samplingRate: number, channels?: number, seconds?: number}} Measures
 * @typedef {{note?: string, measured?: object, name?: string}} Facts
 */

/** @type {object[]} */
const table = [];

/** Makes the same bytes in each run. */
const exact = '-map_metadata -1 -fflags +bitexact -flags:a +bitexact'.split(' ');

/** @param {string} command split at spaces @param {string[]} more arguments behind it, which may contain spaces */
export function run(command, ...more) {
	const [tool = '', ...args] = command.split(' ');
	return execFileSync(tool, [...args, ...more], { maxBuffer: 1 << 24 });
}

/** @param {string} name */
export const inScratch = (name) => path.join(scratch, name);

/** @param {string} name */
export const inFolder = (name) => path.join(folder, name);

/** @param {string} name */
export const read = (name) => readFileSync(inFolder(name));

/** @param {string} name */
export const readScratch = (name) => readFileSync(inScratch(name));

/**
 * Input of ffmpeg: a low tone, which every codec makes small.
 * @param {number} seconds
 */
export const tone = (seconds, rate = 16_000) =>
	`-f lavfi -i sine=frequency=300:sample_rate=${rate}:duration=${seconds}`;

/**
 * What ffprobe says of a file.
 * @param {string} file
 */
export function probe(file) {
	const answer = JSON.parse(
		`${run(`ffprobe -v error -of json -show_format -show_streams ${file}`)}`,
	);
	/** @type {Array<{codec_type?: string, duration?: string, sample_rate?: string, channels?: number}>} */
	const streams = answer.streams;
	const sound = streams.find((stream) => stream.codec_type === 'audio') ?? {};
	const seconds = Number(sound.duration ?? answer.format.duration);
	return {
		...(Number.isFinite(seconds) ? { seconds: Math.round(seconds * 1000) / 1000 } : {}),
		samplingRate: Number(sound.sample_rate),
		channels: sound.channels,
	};
}

/**
 * What ffprobe says of a file whose header does not specify its duration.
 * @param {string} file
 */
export function probeWithoutSeconds(file) {
	const { samplingRate, channels } = probe(file);
	return { samplingRate, channels };
}

/**
 * @param {string} file
 * @param {string} format that must be recognised; empty for none
 * @param {Facts} [facts] `note` says what is special, `measured` replaces what ffprobe says (`{}`: the header specifies
 * nothing), `name` is the file's name in n8n
 */
export function row(file, format, { measured, ...facts } = {}) {
	const isMeasured = ['WAV', 'MP3', 'FLAC', 'M4A'].includes(format);
	table.push({
		file,
		format,
		...facts,
		...(isMeasured ? (measured ?? probe(inFolder(file))) : {}),
	});
}

/**
 * Runs ffmpeg with input and arguments that are split at spaces, and `more` that may contain spaces.
 * @param {string} input
 * @param {string} args
 * @param {string[]} more
 * @param {string} file
 */
const encode = (input, args, more, file) =>
	run(`ffmpeg -v error -y ${input}`, ...exact, ...args.split(' '), ...more, file);

/**
 * @param {string} file
 * @param {string} format
 * @param {string} input
 * @param {string} args
 * @param {{note?: string, measured?: object | ((file: string) => object)}} facts
 * @param {...string} more
 */
export function ffmpeg(file, format, input, args, { note, measured }, ...more) {
	encode(input, args, more, inFolder(file));
	const isFunction = typeof measured === 'function';
	row(file, format, { note, measured: isFunction ? measured(inFolder(file)) : measured });
}

/**
 * What ffmpeg writes into a pipe, where it cannot correct the header at the end.
 * @param {string} input
 * @param {string} args
 */
export const piped = (input, args) => encode(input, args, [], 'pipe:1');

/** @param {string} file @param {string} format @param {Buffer | string} bytes @param {Facts} [facts] */
export function written(file, format, bytes, facts) {
	writeFileSync(inFolder(file), bytes);
	row(file, format, facts);
}

/**
 * An ID3v2.3 tag; its length in 7-bit pieces.
 * @param {Buffer} content
 */
export function id3(content) {
	const length = content.length;
	const sizes = [21, 14, 7, 0].map((shift) => (length >> shift) & 127);
	return Buffer.concat([Buffer.from('ID3\x03\x00\x00', 'latin1'), Buffer.from(sizes), content]);
}

/** @param {string} name @param {Buffer} content */
export function id3Frame(name, content) {
	const head = Buffer.alloc(10);
	head.write(name, 'latin1');
	head.writeUInt32BE(content.length, 4);
	return Buffer.concat([head, content]);
}

/**
 * An APEv2 tag with a header and a footer of 32 bytes each; `length` bytes in total.
 * @param {number} length
 */
export function apeTag(length) {
	/** @param {number} flags */
	const part = (flags) => {
		const bytes = Buffer.alloc(32);
		bytes.write('APETAGEX', 'latin1');
		[2000, length - 32, 1, flags].forEach((value, index) => {
			bytes.writeUInt32LE(value, 8 + 4 * index);
		});
		return bytes;
	};
	const item = Buffer.alloc(length - 64, 'cover');
	item.writeUInt32LE(item.length - 14, 0);
	item.writeUInt32LE(0, 4);
	item.write('Cover\0', 8, 'latin1');
	return Buffer.concat([part(0xa000_0000), item, part(0x8000_0000)]);
}

/** A tag with a title. */
export const titleTag = () => id3(id3Frame('TIT2', Buffer.from('\0A call', 'latin1')));

/** Writes the table, and deletes everything else. */
export function finish() {
	writeFileSync(inFolder('files.json'), `${JSON.stringify(table, undefined, '\t')}\n`);
	rmSync(scratch, { recursive: true });
}
