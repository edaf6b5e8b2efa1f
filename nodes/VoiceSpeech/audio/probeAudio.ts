import type { Format } from './format';
import { readFlac } from './headers/flac';
import { readIsobmff } from './headers/isobmff';
import { readMp3 } from './headers/mp3';
import { readWav } from './headers/wav';
import type { AudioProperties, AudioReader } from './reader';
import { findAudioStart } from './tags';

/** Reads what the header specifies for certain; nothing for formats that the service does not document. */
export async function probeAudio(
	reader: AudioReader,
	format: Format | undefined,
): Promise<AudioProperties> {
	// Tags may be in front of the header.
	const start = (await findAudioStart(reader)) ?? 0;
	switch (format?.name) {
		case 'WAV':
			return await readWav(reader, start);
		case 'MP3':
			return await readMp3(reader, start);
		case 'M4A':
			return await readIsobmff(reader, start);
		case 'FLAC':
			return await readFlac(reader, start);
		default:
			return {};
	}
}
