import type { Format } from './format';
import { probeFlac } from './headers/flac';
import { probeIsobmff } from './headers/isobmff';
import { probeMp3 } from './headers/mp3';
import { probeWav } from './headers/wav';
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
			return await probeWav(reader, start);
		case 'MP3':
			return await probeMp3(reader, start);
		case 'M4A':
			return await probeIsobmff(reader, start);
		case 'FLAC':
			return await probeFlac(reader, start);
		default:
			return {};
	}
}
