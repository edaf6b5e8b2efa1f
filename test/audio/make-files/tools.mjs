/** The tools that make a file and measure it, and the table that both go into. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../files', import.meta.url));
const scratch = mkdtempSync(path.join(tmpdir(), 'recordings-'));
const table = [];

/** The same bytes whenever it is run. */
export const exact = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact'];

export const run = (tool, ...args) => execFileSync(tool, args, { maxBuffer: 1 << 24 });

export const inScratch = (name) => path.join(scratch, name);

export const inFolder = (name) => path.join(folder, name);

export const read = (name) => readFileSync(inFolder(name));

export const readScratch = (name) => readFileSync(inScratch(name));

/** A low tone, which every codec makes small. */
export const tone = (seconds, rate = 16_000) => [
	'-f',
	'lavfi',
	'-i',
	`sine=frequency=300:sample_rate=${rate}:duration=${seconds}`,
];

/** What ffprobe says of a file. */
export function probe(file) {
	const answer = JSON.parse(
		run('ffprobe', '-v', 'error', '-of', 'json', '-show_format', '-show_streams', file),
	);
	const sound = answer.streams.find((stream) => stream.codec_type === 'audio') ?? {};
	const seconds = Number(sound.duration ?? answer.format.duration);
	return {
		...(Number.isFinite(seconds) ? { seconds: Math.round(seconds * 1000) / 1000 } : {}),
		samplingRate: Number(sound.sample_rate),
		channels: sound.channels,
	};
}

/**
 * @param {string} file
 * @param {string} format what it must be recognised as; empty for what can't be
 * @param {object} facts `note` says what is special, `measured` replaces what ffprobe says (`{}`: the header tells
 * nothing), `name` is what n8n would call it
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

export function ffmpeg(file, format, input, args, facts) {
	run('ffmpeg', '-v', 'error', '-y', ...input, ...exact, ...args, inFolder(file));
	row(file, format, facts);
}

export function written(file, format, bytes, facts) {
	writeFileSync(inFolder(file), bytes);
	row(file, format, facts);
}

/** What ffmpeg writes when it can't go back to the header: into a pipe. */
export const piped = (input, args) =>
	run('ffmpeg', '-v', 'error', ...input, ...exact, ...args, 'pipe:1');

/** An ID3v2.3 tag; its length in 7-bit pieces. */
export function id3(content) {
	const length = content.length;
	const sizes = [21, 14, 7, 0].map((shift) => (length >> shift) & 127);
	return Buffer.concat([Buffer.from('ID3\x03\x00\x00', 'latin1'), Buffer.from(sizes), content]);
}

export function id3Frame(name, content) {
	const head = Buffer.alloc(10);
	head.write(name, 'latin1');
	head.writeUInt32BE(content.length, 4);
	return Buffer.concat([head, content]);
}

/** An APEv2 tag with a header and a footer of 32 bytes each; `length` bytes in all. */
export function apeTag(length) {
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

/** Writes the table, and leaves nothing else behind. */
export function finish() {
	writeFileSync(inFolder('files.json'), `${JSON.stringify(table, undefined, '\t')}\n`);
	rmSync(scratch, { recursive: true });
}
