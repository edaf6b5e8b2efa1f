import { fileTypeFromFile } from 'file-type';

/** The documented formats. */
export type AudioFormat = 'WAV' | 'MP3' | 'M4A' | 'FLAC';

/** By the extension that file-type returns. Phones and encoders write M4A files as all of these. */
const formats: Record<string, AudioFormat> = {
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

/**
 * Recognizes a recording by its bytes. Its file name and declared type are ignored.
 * @returns undefined for any other format
 */
export async function recognizeFormat(path: string): Promise<AudioFormat | undefined> {
	const type = await fileTypeFromFile(path);
	return type && formats[type.ext];
}
