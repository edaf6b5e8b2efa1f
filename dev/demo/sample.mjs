import { encode } from '../emulator/audio/encode.mjs';
import { SAMPLE_RATE, writeWav } from '../emulator/audio/wav.mjs';
import { speak } from '../emulator/speech/speak.mjs';
import { speakInTones } from '../emulator/speech/tones.mjs';

const SECONDS = 10;

/**
 * A voice sample as the service recommends it: ten seconds, 16 kHz, one channel. The voice is computed.
 * @returns {Buffer} a WAV file
 */
export function voiceSample() {
	const samples = speakInTones(
		'This is my voice, and you may clone it. '.repeat(10),
		0.35,
		SAMPLE_RATE,
	);
	return writeWav(samples.subarray(0, SAMPLE_RATE * SECONDS));
}

/**
 * @param {string} text
 * @returns {Promise<Buffer>} a WAV file with the spoken text; the emulator's speech to text returns the same text
 */
export async function recordingOf(text) {
	return encode('wav', await speak(text, 0.35, 'auto'), text).body;
}
