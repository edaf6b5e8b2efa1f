import { beginningOf } from './beginning';
import type { Format } from './format';
import { readFlac } from './headers/flac';
import type { Measures } from './headers/header';
import { readMp3 } from './headers/mp3';
import { readMp4 } from './headers/mp4';
import { readWav } from './headers/wav';
import type { RecordingReader } from './reader';
import { endOfTags } from './tags';

/**
 * How much of a file is read at most to find its header, in bytes. An index that stands farther back belongs to a
 * recording far longer than a sample should be: AAC fills this in minutes, lossless audio in well over 30 seconds.
 */
export const mostRead = 8 * 1024 * 1024;

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
	const file = beginningOf(reader, mostRead);
	switch (found?.name) {
		case 'WAV':
			return await readWav(file);
		case 'FLAC':
			return await readFlac(file, await endOfTags(file));
		case 'MP3':
			return await readMp3(file, await endOfTags(file));
		case 'M4A':
			return await readMp4(file);
		default:
			return {};
	}
}
