import { encode } from '../emulator/audio/encode.mjs';
import { SAMPLE_RATE, writeWav } from '../emulator/audio/wav.mjs';
import { speak } from '../emulator/speech/speak.mjs';

const SECONDS = 10;

/**
 * A voice sample as the service recommends it: ten seconds, 16 kHz, one channel. The voice is computed.
 * @returns {Buffer} a WAV file
 */
export function voiceSample() {
	const samples = Int16Array.from({ length: SAMPLE_RATE * SECONDS }, (_, index) => {
		const time = index / SAMPLE_RATE;
		// Four syllables a second, each rising and fading, and a pause every two seconds.
		const syllable = Math.sin(Math.PI * ((time * 4) % 1)) ** 2;
		const breath = time % 2 > 1.7 ? 0 : 1;
		const pitch = 2 * Math.PI * 140 * time + Math.sin(2 * Math.PI * 3 * time);
		const voice = Math.sin(pitch) + 0.5 * Math.sin(2 * pitch) + 0.25 * Math.sin(3 * pitch);
		return Math.round(9_000 * voice * syllable * breath);
	});
	return writeWav(samples);
}

/**
 * @param {string} text
 * @returns {Promise<Buffer>} a WAV file with the spoken text; the emulator's speech to text returns the same text
 */
export async function recordingOf(text) {
	return encode('wav', await speak(text, 0.35, 'auto'), text).body;
}
