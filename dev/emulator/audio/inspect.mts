import { fileTypeFromFile } from 'file-type';
import { parseFile } from 'music-metadata';
import { truncate } from 'node:fs/promises';

import { ownSoftware } from './wav.mts';

/** The documented formats, by the extension that file-type returns. Phones and encoders write M4A files as all of these. */
const formats: Record<string, string> = {
	wav: 'WAV',
	mp3: 'MP3',
	flac: 'FLAC',
	m4a: 'M4A',
	m4b: 'M4A',
	m4p: 'M4A',
	mp4: 'M4A',
	'3gp': 'M4A',
	'3g2': 'M4A',
};

/** The frames of a file up to this size are counted. The length of a larger file without an index is estimated. */
const maxBytesToCount = 20 * 1024 * 1024;
const timeoutMs = 3_000;

/** What a file specifies of its audio. The other values are undefined. */
interface AudioProperties {
	/** To two decimals. */
	seconds?: number;
	/** In Hz. */
	samplingRate?: number;
	channels?: number;
	/** The text in the metadata, if the emulator's text to speech made the file. */
	ownText?: string;
}

/**
 * Recognizes a recording by its bytes. Its file name and declared type are ignored.
 *
 * @returns undefined for any other format
 */
export async function recognizeFormat(path: string): Promise<string | undefined> {
	const type = await fileTypeFromFile(path);
	return type && formats[type.ext];
}

/**
 * Probes a recording. The parser would take minutes for a file with garbage after its audio, so the file is emptied after
 * three seconds, which ends the parser.
 *
 * @param path of a file that is not needed any more
 * @param bytes its size
 */
export async function probeRecording(path: string, bytes: number): Promise<AudioProperties> {
	const timer = setTimeout(async () => await truncate(path).catch(() => {}), timeoutMs);
	try {
		const { format, native } = await parseFile(path, {
			skipCovers: true,
			duration: bytes <= maxBytesToCount,
		});
		const tags = new Map(native.exif?.map(({ id, value }) => [id, String(value)]));
		return {
			seconds: format.duration && Math.round(format.duration * 100) / 100,
			samplingRate: format.sampleRate,
			channels: format.numberOfChannels,
			...(tags.get('ISFT') === ownSoftware && {
				ownText: JSON.parse(tags.get('ICMT') ?? '""') as string,
			}),
		};
	} catch {
		return {};
	} finally {
		clearTimeout(timer);
	}
}
