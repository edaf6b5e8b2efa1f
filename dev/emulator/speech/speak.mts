import type { Settings } from '../settings.mts';
import { speakWithEspeak, type Speech } from './espeak.mts';
import { speakInTones, toneSamplingRate } from './tones.mts';

/** About nine minutes of speech. */
const maxCharacters = 8_000;

/**
 * @param text only its beginning is spoken if it is very long
 * @param language in ISO 639-1; tones ignore it
 * @param pitch of the voice, from 0 (deep) to 1 (high)
 * @throws {Error} as speakWithEspeak, only if the engine is `espeak`
 */
export async function speak(
	text: string,
	language: string,
	pitch: number,
	engine: Settings['ttsEngine'],
): Promise<Speech> {
	const spoken = text.slice(0, maxCharacters);
	if (engine !== 'tones') {
		try {
			return await speakWithEspeak(spoken, language, pitch);
		} catch (error) {
			// espeak-ng may be missing, and it returns no audio for a text without words.
			if (engine === 'espeak') throw error;
		}
	}
	return { samples: speakInTones(spoken, pitch), samplingRate: toneSamplingRate };
}
