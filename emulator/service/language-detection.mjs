import { jsonAnswer } from '../gateway/call.mjs';
import { detectLanguage } from '../text/language.mjs';
import { readEither, recordingFacts } from './either-input.mjs';

/**
 * POST /ai/language-detection. All of it is the emulator's own choice: the library `eld` on the
 * text.
 * @type {import('../gateway/call.mjs').Service<import('./either-input.mjs').EitherInput>}
 */
export const languageDetection = {
	read: readEither,
	async perform(_call, input) {
		return jsonAnswer(
			{ ...(await detectLanguage(input.text)), text: input.text, ...recordingFacts(input) },
			'The language of the text, found by the library eld.',
		);
	},
};
