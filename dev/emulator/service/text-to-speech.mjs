import { encode } from '../audio/encode.mjs';
import { requireText } from '../http/fields.mjs';
import { readJsonBody } from '../http/json-body.mjs';
import { Refusal } from '../http/refusal.mjs';
import { requireEngine, speak } from '../speech/speak.mjs';

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
		await requireEngine(settings.ttsEngine);
		return { text, ...voice };
	},
	async perform({ state }, { text, voiceId, pitch }) {
		const speech = await speak(text, pitch, state.settings.ttsEngine);
		return { ...encode(state.settings.ttsEncoding, speech, text), voiceId };
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
