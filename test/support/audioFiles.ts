/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { headLength } from '../../nodes/VoiceSpeech/audio/format';
import { measure } from '../../nodes/VoiceSpeech/audio/measure';
import { RecordingReader } from '../../nodes/VoiceSpeech/audio/reader';
import { recognise } from '../../nodes/VoiceSpeech/audio/recognise';

const folder = path.resolve(__dirname, '../audio/files');

/** A file made by a real tool, and what that tool says of it (see test/audio/make-files). */
export interface AudioFile {
	file: string;
	/** What it must be recognised as; empty for what shows no signature. */
	format: string;
	note?: string;
	/** What n8n would call it, where that is not the name on disk. */
	name?: string;
	seconds?: number;
	samplingRate?: number;
	channels?: number;
}

export const audioFiles = JSON.parse(
	readFileSync(path.join(folder, 'files.json'), 'utf8'),
) as AudioFile[];

export function audioFile(file: string): Buffer {
	return readFileSync(path.join(folder, file));
}

/** What was taken of a recording. */
export interface Taken {
	bytes: number;
	/** How often its beginning was looked at, after the first time. */
	looks: number;
	/** How far it was asked for, in bytes. */
	farthest: number;
}

/**
 * A reader over bytes, which counts what is taken of them.
 *
 * @param chunkSize how many bytes come at once
 * @param tellsSize false for a source that does not say how long it is
 */
export async function countedReader(
	bytes: Uint8Array,
	chunkSize = 64 * 1024,
	tellsSize = true,
): Promise<{ reader: RecordingReader; taken: Taken }> {
	const taken = { bytes: 0, looks: 0, farthest: 0 };
	async function* chunks() {
		for (let start = 0; start < bytes.length; start += chunkSize) {
			const chunk = bytes.subarray(start, start + chunkSize);
			taken.bytes += chunk.length;
			yield chunk;
		}
	}
	const announced = { name: '', mimeType: '' };
	const size = tellsSize ? bytes.length : undefined;
	const source = { size, announced, chunks: chunks(), copies: 0, close() {} };
	const recording = { identity: [], open: async () => source };
	const reader = await RecordingReader.open(recording, headLength, new AbortController().signal);
	const { peek } = reader;
	reader.peek = async (end) => {
		taken.looks++;
		taken.farthest = Math.max(taken.farthest, end);
		return await peek.call(reader, end);
	};
	return { reader, taken };
}

/** What the header tells, and how many bytes were taken to know it. */
export async function measured(bytes: Uint8Array, tellsSize = true) {
	const { reader, taken } = await countedReader(bytes, 64 * 1024, tellsSize);
	return { measures: await measure(reader, await recognise(reader)), taken: taken.bytes };
}
