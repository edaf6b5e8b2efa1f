import { readFileSync } from 'node:fs';
import path from 'node:path';

import { sniffFormat, type Container } from '../../../nodes/VoiceSpeech/audio/format.ts';
import { probeAudio } from '../../../nodes/VoiceSpeech/audio/probeAudio.ts';
import { AudioReader } from '../../../nodes/VoiceSpeech/audio/reader.ts';
import { headBytes } from '../../../nodes/VoiceSpeech/limits.ts';

const folder = path.resolve(__dirname, '../../audio/files');

/** A file made by a real tool, and what is expected of it (see test/audio/files/README.md). */
export interface AudioFile {
	file: string;
	/** Expected format; empty without a known signature. */
	format: string;
	/** How the node must read it to find out whether it must be converted; undefined if it need not read it. */
	container?: Container;
	/** Its name in the upload: the same if it must be sent byte for byte, another one if it must be converted. */
	sentAs?: string;
	note?: string;
	/** Its name in n8n, if different. */
	name?: string;
	seconds?: number;
	samplingRate?: number;
	channels?: number;
}

export const audioFiles = JSON.parse(
	readFileSync(path.join(folder, 'files.json'), 'utf8'),
) as AudioFile[];

/** A file that is converted. */
type ConvertedFile = AudioFile & Required<Pick<AudioFile, 'container' | 'sentAs'>>;

export const convertedFiles = audioFiles.filter(
	(row): row is ConvertedFile =>
		row.container !== undefined && row.sentAs !== undefined && row.sentAs !== row.file,
);

/** A file that is converted to WAV because of its format. M4A is accepted, and converted only if its codec is not. */
export const fileConvertedToWav = convertedFiles.find(
	({ format, sentAs }) => sentAs.endsWith('.wav') && format !== 'M4A',
)!;

export function readAudioFile(file: string): Buffer {
	return readFileSync(path.join(folder, file));
}

/**
 * A reader of these bytes that counts what is taken: the bytes, the calls of `peek` after the first, and the highest
 * offset that they requested.
 *
 * @param chunkSize in bytes
 * @param isSizeKnown false for a source that does not report its size
 */
export async function createAudioReader(
	bytes: Uint8Array,
	chunkSize = 64 * 1024,
	isSizeKnown = true,
) {
	const taken = { bytes: 0, peeks: 0, farthest: 0 };
	async function* yieldChunks() {
		for (let start = 0; start < bytes.length; start += chunkSize) {
			const chunk = bytes.subarray(start, start + chunkSize);
			taken.bytes += chunk.length;
			yield chunk;
		}
	}
	const size = isSizeKnown ? bytes.length : undefined;
	const declared = { name: '', mimeType: '' };
	const opened = { size, declared, chunks: yieldChunks(), close() {} };
	const reader = new AudioReader(opened, () => {});
	await reader.peek(headBytes);
	const { peek } = reader;
	reader.peek = async (end) => {
		taken.peeks++;
		taken.farthest = Math.max(taken.farthest, end);
		return await peek.call(reader, end);
	};
	return { reader, taken };
}

/** What the header specifies, and how many bytes were read for that. */
export async function probeBytes(bytes: Uint8Array, isSizeKnown = true) {
	const { reader, taken } = await createAudioReader(bytes, 64 * 1024, isSizeKnown);
	const properties = await probeAudio(reader, await sniffFormat(reader));
	return { properties, taken: taken.bytes };
}
