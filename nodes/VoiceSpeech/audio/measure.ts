import { endOfId3, type Format } from './format';
import { readFlac } from './headers/flac';
import { viewOf, type Beginning, type Measures } from './headers/header';
import { readMp3 } from './headers/mp3';
import { readMp4 } from './headers/mp4';
import { readWav } from './headers/wav';
import type { RecordingReader } from './reader';

/**
 * How much of a file is read at most to find its header, in bytes. An index that stands farther back belongs to a
 * recording far longer than a sample should be: AAC fills this in minutes, lossless audio in well over 30 seconds.
 */
export const mostRead = 8 * 1024 * 1024;

/** What is read for its header is kept for the call, so that nothing is read twice. */
function beginningOf(reader: RecordingReader): Beginning {
	return {
		fileSize: reader.size,
		async at(start, length) {
			const end = Math.min(start + length, mostRead);
			const bytes = start < end ? await reader.peek(end) : new Uint8Array();
			return viewOf(bytes.subarray(Math.min(start, bytes.length), end));
		},
	};
}

/**
 * Measures a recording by its header alone.
 *
 * @param found what it is by its first bytes
 * @returns what the header tells, nothing for a format without a reader
 */
export async function measure(
	reader: RecordingReader,
	found: Format | undefined,
): Promise<Measures> {
	const file = beginningOf(reader);
	switch (found?.name) {
		case 'WAV':
			return await readWav(file);
		case 'FLAC':
			return await readFlac(file, endOfId3(reader.head));
		case 'MP3':
			return await readMp3(file, endOfId3(reader.head));
		case 'M4A':
			return await readMp4(file);
		default:
			return {};
	}
}
