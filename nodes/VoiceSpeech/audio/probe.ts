import { FileView } from './fileView';
import type { Format } from './format';
import { readFlac } from './headers/flac';
import type { AudioProperties } from './headers/header';
import { readMp3 } from './headers/mp3';
import { readMp4 } from './headers/mp4';
import { readWav } from './headers/wav';
import type { AudioReader } from './reader';
import { findAudio } from './tags';

/**
 * In bytes: how much of a file is read to find its header. An M4A index behind more audio belongs to a file far
 * longer than a sample should be: AAC fills this in minutes, lossless audio in over 30 seconds.
 */
export const maxProbeBytes = 8 * 1024 * 1024;

/**
 * Reads duration, sampling rate and channels from the file's header.
 *
 * @param found the format, as recognised
 * @returns what the header tells for certain; nothing for other formats
 */
export async function probeAudio(
	reader: AudioReader,
	found: Format | undefined,
): Promise<AudioProperties> {
	const file = new FileView(reader, maxProbeBytes);
	switch (found?.name) {
		case 'WAV':
			return await readWav(file);
		case 'FLAC':
			return await readFlac(file, (await findAudio(reader)) ?? 0);
		case 'MP3':
			return await readMp3(file, (await findAudio(reader)) ?? 0);
		case 'M4A':
			return await readMp4(file);
		default:
			return {};
	}
}
