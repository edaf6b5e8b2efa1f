import { SAMPLE_RATE } from '../audio/wav.mjs';
import { detectLanguage } from '../text/language.mjs';
import { hasEspeak, speakWithEspeak } from './espeak.mjs';
import { speakInTones } from './tones.mjs';

/** About nine minutes of speech. */
const MAX_CHARACTERS = 8_000;

/**
 * Make-believe speech: mono samples and their rate per second.
 * @typedef {{samples: Int16Array, rate: number}} Speech
 */

/**
 * @param {string} text only its beginning is spoken if it is very long
 * @param {number} pitch of the voice, from 0 (deep) to 1 (high)
 * @param {import('../settings.mjs').Settings['ttsEngine']} engine
 * @returns {Promise<Speech>}
 */
export async function speak(text, pitch, engine) {
	const spoken = text.slice(0, MAX_CHARACTERS);
	if (engine !== 'tones' && (await hasEspeak())) {
		const { language } = await detectLanguage({ text: spoken });
		try {
			return await speakWithEspeak(spoken, language, pitch);
		} catch (error) {
			// espeak-ng is silent for a text without words, tones are not.
			if (engine === 'espeak') throw error;
		}
	}
	return { samples: speakInTones(spoken, pitch, SAMPLE_RATE), rate: SAMPLE_RATE };
}
