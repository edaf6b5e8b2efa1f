import { writeWav } from '../audio/wav.mjs';
import { requireText } from '../http/fields.mjs';
import { readJsonBody } from '../http/json-body.mjs';
import { Refusal } from '../http/refusal.mjs';
import { hasEspeak } from '../speech/espeak.mjs';
import { speak } from '../speech/speak.mjs';

/** Of a voice that the emulator has not cloned. */
const DEFAULT_PITCH = 0.35;

/**
 * POST /ai/text-to-speech.
 * @type {import('../http/call.mjs').Service<{text: string, voiceId: string, pitch: number}>}
 */
export const textToSpeech = {
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
		const { samples, rate } = await speak(text, pitch, ttsEngine);
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
 * @param {import('../state.mjs').State} state
 * @param {unknown} value the field `voice_id`
 * @returns {{voiceId: string, pitch: number}}
 * @throws {Refusal} badField or unknownVoice
 */
function readVoice({ settings, voices }, value) {
	const voiceId = requireText(value, 'voice_id');
	const voice = voices.find((one) => one.voiceId === voiceId);
	if (!voice && settings.unknownVoice === 'refuse') {
		throw new Refusal('unknownVoice', 'Unknown voice_id.');
	}
	return { voiceId, pitch: voice?.pitch ?? DEFAULT_PITCH };
}
