import { readErrorCode } from '../../lib/errors.mts';
import { writeWav } from '../audio/wav.mts';
import { requireText } from '../http/fields.mts';
import { readJsonBody } from '../http/jsonBody.mts';
import { Refusal } from '../http/refusal.mts';
import { speak } from '../speech/speak.mts';
import type { OperationHandler } from '../http/call.mts';
import type { Voice } from '../storage.mts';
import { detectLanguage } from './language-detection.mts';

/** The pitch of a voice that the emulator has not cloned. */
const defaultPitch = 0.35;

export const textToSpeech: OperationHandler<Voice & { text: string }> = {
	credits: 1,
	rule: "espeak-ng, in the language that `tinyld` finds, at the voice's pitch; or a tone for each syllable, with pauses. The file's metadata has the text (RIFF LIST/INFO, UTF-8, as JSON). Of a text over 8000 characters only the beginning is spoken",
	async read(call) {
		const { settings, voices } = call;
		const body = await readJsonBody(call);
		const text = requireText(body.text, 'text', settings.maxTextCharacters);
		const voiceId = requireText(body.voice_id, 'voice_id');
		const voice = voices.find((one) => one.voiceId === voiceId);
		if (!voice && settings.unknownVoice === 'refuse') {
			throw new Refusal('unknownVoice', 'Unknown voice_id.');
		}
		return { text, voiceId, pitch: voice?.pitch ?? defaultPitch };
	},
	async perform({ settings }, { text, voiceId, pitch }) {
		const { ttsEngine, ttsEncoding } = settings;
		const { language } = detectLanguage(text);
		const { samples, samplingRate } = await speak(text, language, pitch, ttsEngine).catch(
			(error: unknown) => {
				if (readErrorCode(error) !== 'ENOENT') throw error;
				throw new Refusal('unavailable', 'ttsEngine is espeak, but espeak-ng is not installed.');
			},
		);
		if (ttsEncoding === 'wav') {
			return { contentType: 'audio/wav', body: writeWav(samples, samplingRate, text), voiceId };
		}
		// RFC 2586: audio/L16 has the high byte first.
		const body = Buffer.alloc(samples.length * 2);
		samples.forEach((sample, index) => body.writeInt16BE(sample, index * 2));
		return { contentType: `audio/L16;rate=${samplingRate};channels=1`, body, voiceId };
	},
};
