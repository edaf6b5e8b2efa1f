import { encode, requireEncoder } from '../audio/encode.mjs';
import { requireText } from '../gateway/fields.mjs';
import { readJsonBody } from '../gateway/json-body.mjs';
import { Refusal } from '../gateway/refusal.mjs';
import { requireEngine, speak } from '../speech/speak.mjs';
import { pitchOfStranger } from '../voices.mjs';

const PITCH_WITHOUT_VOICE = 0.35;

/**
 * POST /ai/text-to-speech. Source: interface document (fields `text` and `voice_id`, an audio
 * answer); encoding, engine and what becomes of an unknown voice are the emulator's own choice.
 * @type {import('../gateway/call.mjs').Service<{text: string, voiceId: string | undefined,
 *   pitch: number}>}
 */
export const textToSpeech = {
	async read(call) {
		const { settings } = call.state;
		const body = await readJsonBody(call);
		const text = requireText(body.text, 'text', settings.maxTextCharacters);
		const voice = readVoice(call.state, body.voice_id);
		await requireEncoder(settings.ttsEncoding);
		await requireEngine(settings.ttsEngine);
		return { text, ...voice };
	},
	async perform(call, { text, voiceId, pitch }) {
		const { ttsEncoding, ttsEngine } = call.state.settings;
		const samples = await speak(text, pitch, ttsEngine);
		return { ...(await encode(ttsEncoding, samples, text)), ...(voiceId && { voiceId }) };
	},
};

/**
 * @param {import('../state.mjs').State} state
 * @param {unknown} value the field `voice_id`
 * @returns {{voiceId: string | undefined, pitch: number}}
 */
function readVoice({ settings, voices }, value) {
	if (value === undefined && !settings.voiceIdRequired) {
		return { voiceId: undefined, pitch: PITCH_WITHOUT_VOICE };
	}
	const voiceId = requireText(value, 'voice_id');
	const voice = voices.find(voiceId);
	if (!voice && settings.unknownVoice === 'refuse') {
		throw new Refusal('unknownVoice', 'There is no voice with this voice_id.', 'voice_id');
	}
	return { voiceId, pitch: voice?.pitch ?? pitchOfStranger(voiceId) };
}
