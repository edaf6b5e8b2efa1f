import type { Format } from './format';
import { readFlac } from './headers/flac';
import { readMp3 } from './headers/mp3';
import { readMp4 } from './headers/mp4';
import { readWav } from './headers/wav';
import type { AudioProperties, AudioReader } from './reader';
import { findAudio } from './tags';

const headerReaders = new Map<string | undefined, typeof readFlac>(
	Object.entries({ WAV: readWav, MP3: readMp3, M4A: readMp4, FLAC: readFlac }),
);

/** Reads what the header specifies for certain; nothing for formats other than those above. */
export async function probeAudio(
	reader: AudioReader,
	found: Format | undefined,
): Promise<AudioProperties> {
	const readHeader = headerReaders.get(found?.name);
	return readHeader ? await readHeader(reader, (await findAudio(reader)) ?? 0) : {};
}
