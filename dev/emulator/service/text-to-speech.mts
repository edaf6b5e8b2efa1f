import { writeWav } from '../audio/wav.mts';
import { requireText } from '../http/fields.mts';
import { readJsonBody } from '../http/jsonBody.mts';
import { Refusal } from '../http/refusal.mts';
import { hasEspeak } from '../speech/espeak.mts';
import { speak } from '../speech/speak.mts';
import { detectLanguage } from './language-detection.mts';
import type { Service } from '../http/call.mts';
import type { State } from '../state.mts';

/** Of a voice that the emulator has not cloned. */
const defaultPitch = 0.35;

interface UsedVoice {
	voiceId: string;
	/** From 0 (deep) to 1 (high). */
	pitch: number;
}

/** POST /ai/text-to-speech. */
export const textToSpeech: Service<UsedVoice & { text: string }> = {
	credits: 1,
	rule: "espeak-ng, in the language that `tinyld` finds, at the voice's pitch; or a tone for each syllable, with pauses. The file's metadata has the text (RIFF LIST/INFO, UTF-8, as JSON). Of a text over 8000 characters only the beginning is spoken",
	async read(call) {
		const { settings } = call.state;
		const body = await readJsonBody(call);
		const text = requireText(body.text, 'text', settings.maxTextCharacters);
		const voice = readVoice(call.state, body.voice_id);
		if (settings.ttsEngine === 'espeak' && !(await hasEspeak())) {
			throw new Refusal('unavailable', 'The emulator is set to espeak-ng, which is not installed.');
		}
		return { text, ...voice };
	},
	async perform({ state }, { text, voiceId, pitch }) {
		const { ttsEngine, ttsEncoding } = state.settings;
		const { language } = detectLanguage(text);
		const { samples, rate } = await speak(text, language, pitch, ttsEngine);
		if (ttsEncoding === 'wav') {
			return { contentType: 'audio/wav', body: writeWav(samples, text, rate), voiceId };
		}
		// RFC 2586: audio/L16 has the high byte first.
		const body = Buffer.alloc(samples.length * 2);
		samples.forEach((sample, index) => body.writeInt16BE(sample, index * 2));
		return { contentType: `audio/L16;rate=${rate};channels=1`, body, voiceId };
	},
};

/**
 * @param value the field `voice_id`
 * @throws {Refusal} badField or unknownVoice
 */
function readVoice({ settings, voices }: State, value: unknown): UsedVoice {
	const voiceId = requireText(value, 'voice_id');
	const voice = voices.find((one) => one.voiceId === voiceId);
	if (!voice && settings.unknownVoice === 'refuse') {
		throw new Refusal('unknownVoice', 'Unknown voice_id.');
	}
	return { voiceId, pitch: voice?.pitch ?? defaultPitch };
}
