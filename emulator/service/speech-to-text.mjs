import { readLanguage } from '../gateway/fields.mjs';
import { jsonAnswer } from '../gateway/call.mjs';
import { readRecording } from './recording.mjs';

/**
 * POST /ai/speech-to-text. Source: interface document (parts `file` and `language`, field `text`);
 * every other field of the answer is the emulator's own choice.
 * @type {import('../gateway/call.mjs').Service<{recording: import('./recording.mjs').Recording,
 *   language: string | undefined}>}
 */
export const speechToText = {
	async read(call) {
		const { recording, fields } = await readRecording(call);
		const language = readLanguage(fields.get('language'), call.state.settings.languageRequired);
		return { recording, language };
	},
	async perform(_call, { recording, language }) {
		return jsonAnswer(
			{ text: recording.text, ...(language && { language }), recording: recording.facts },
			recording.own
				? 'The text was read from the metadata that the emulator itself had written.'
				: 'Nothing was recognised: the text only states what was measured.',
		);
	},
};
