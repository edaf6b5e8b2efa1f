import { SAMPLE_RATE } from '../audio/wav.mjs';
import { Refusal } from '../gateway/refusal.mjs';
import { detectLanguage } from '../text/language.mjs';
import { hasEspeak, speakWithEspeak } from './espeak.mjs';
import { speakInTones } from './tones.mjs';

/** About nine minutes of speech: the rest of a longer text stays in the metadata alone. */
const MOST_SPOKEN_CHARACTERS = 8_000;

/**
 * Makes sure that this machine can speak as the settings ask, before anything is debited.
 * @param {import('../settings.mjs').Settings['ttsEngine']} engine
 * @returns {Promise<void>}
 * @throws {Refusal} unavailable
 */
export async function requireEngine(engine) {
	if (engine === 'espeak' && !(await hasEspeak())) {
		throw new Refusal('unavailable', 'The emulator is set to espeak-ng, which is not installed.');
	}
}

/**
 * Make-believe speech. All of it is the emulator's own choice.
 * @param {string} text
 * @param {number} pitch of the voice, from 0 (deep) to 1 (high)
 * @param {import('../settings.mjs').Settings['ttsEngine']} engine
 * @returns {Promise<Int16Array>} mono, at SAMPLE_RATE
 */
export async function speak(text, pitch, engine) {
	const spoken = text.slice(0, MOST_SPOKEN_CHARACTERS);
	if (engine !== 'tones' && (await hasEspeak())) {
		const { language } = await detectLanguage(spoken);
		try {
			return await speakWithEspeak(spoken, language, pitch, SAMPLE_RATE);
		} catch (error) {
			// A text of signs alone leaves espeak-ng silent; tones are audible for any text.
			if (engine === 'espeak') throw error;
		}
	}
	return speakInTones(spoken, pitch, SAMPLE_RATE);
}
