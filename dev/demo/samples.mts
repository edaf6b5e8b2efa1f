import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { writeWav } from '../emulator/audio/wav.mts';
import { speak } from '../emulator/speech/speak.mts';
import { speakInTones, toneSamplingRate } from '../emulator/speech/tones.mts';

/** What is said in each recording, by its file's name, with the language if it is not English. */
export const recordings: Record<string, { text: string; language?: string }> = {
	'call.wav': { text: 'I am so happy with the new bicycle. Please send the invoice.' },
	'complaint.wav': { text: 'This is terrible. Please cancel my contract.' },
	'german.wav': {
		text: 'Guten Tag, ich möchte bitte einen Termin für nächste Woche vereinbaren.',
		language: 'de',
	},
	'episode.wav': { text: 'Welcome to our show about bees. They sleep in winter.' },
};

/**
 * Writes recordings for a person to upload below the folder that n8n may read. If they exist, they stay as they are,
 * because the user may have deleted some of them.
 */
export async function writeSamples(files: string): Promise<void> {
	const folder = path.join(files, 'samples');
	if (existsSync(folder)) return;
	await mkdir(folder, { recursive: true });
	for (const sample of [...Object.keys(recordings), 'voice-sample.wav']) {
		const { text, language } = recordings[sample] ?? {};
		const content = text ? await createRecording(text, language) : createVoiceSample();
		await writeFile(path.join(folder, sample), content);
	}
}

/**
 * Creates a voice sample as the service recommends it: ten seconds, 16 kHz, one channel. The voice is synthetic.
 *
 * @returns a WAV file
 */
export function createVoiceSample(): Buffer {
	const text = 'This is my voice, and you may clone it. '.repeat(10);
	const samples = speakInTones(text, 0.35).subarray(0, 10 * toneSamplingRate);
	return writeWav(samples, toneSamplingRate);
}

/**
 * @param language in ISO 639-1
 * @returns a WAV file with the spoken text; the emulator's speech to text returns the same text
 */
export async function createRecording(text: string, language = 'en'): Promise<Buffer> {
	const { samples, samplingRate } = await speak(text, language, 0.35, 'auto');
	return writeWav(samples, samplingRate, text);
}
