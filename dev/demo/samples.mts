import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleRate, writeWav } from '../emulator/audio/wav.mts';
import { speak } from '../emulator/speech/speak.mts';
import { speakInTones } from '../emulator/speech/tones.mts';

/** The text of each recording, by its file's name. */
export const recordings: Record<string, string> = {
	'call.wav': 'I am so happy with the new bicycle. Please send the invoice.',
	'complaint.wav': 'This is terrible. Please cancel my contract.',
	'german.wav': 'Guten Tag, ich möchte bitte einen Termin für nächste Woche vereinbaren.',
	'episode.wav': 'Welcome to our show about bees. They sleep in winter.',
};

/**
 * Writes recordings below the folder that n8n may read. A folder that exists stays as it is, because its user may have
 * deleted some of them.
 * @returns the folder with recordings to upload
 */
export async function writeSamples(files: string): Promise<string> {
	const samples = join(files, 'samples');
	await writeFolder(samples, Object.keys(recordings), { 'voice-sample.wav': voiceSample() });
	// For the example that analyzes calls at night.
	await writeFolder(join(files, 'calls'), ['call.wav', 'complaint.wav']);
	return samples;
}

/**
 * @param names of recordings
 * @param others further files
 */
async function writeFolder(folder: string, names: string[], others: Record<string, Buffer> = {}) {
	if (existsSync(folder)) return;
	await mkdir(folder, { recursive: true });
	for (const name of names) {
		const language = name === 'german.wav' ? 'de' : 'en';
		await writeFile(join(folder, name), await recordingOf(recordings[name] ?? '', language));
	}
	for (const [name, bytes] of Object.entries(others)) await writeFile(join(folder, name), bytes);
}

/**
 * A voice sample as the service recommends it: ten seconds, 16 kHz, one channel. The voice is computed.
 * @returns a WAV file
 */
export function voiceSample(): Buffer {
	const text = 'This is my voice, and you may clone it. '.repeat(10);
	return writeWav(speakInTones(text, 0.35, sampleRate).subarray(0, 10 * sampleRate));
}

/**
 * @param language ISO 639-1
 * @returns a WAV file with the spoken text; the emulator's speech to text returns the same text
 */
export async function recordingOf(text: string, language = 'en'): Promise<Buffer> {
	const { samples, rate } = await speak(text, language, 0.35, 'auto');
	return writeWav(samples, text, rate);
}
