import { jsonAnswer } from '../gateway/call.mjs';
import { judgeSentiment } from '../text/sentiment.mjs';
import { readEither, recordingFacts } from './either-input.mjs';

/**
 * POST /ai/sentiment. All of it is the emulator's own choice: the library `sentiment` on the text.
 * @type {import('../gateway/call.mjs').Service<import('./either-input.mjs').EitherInput>}
 */
export const sentiment = {
	read: readEither,
	async perform(_call, input) {
		return jsonAnswer(
			{ ...judgeSentiment(input.text), text: input.text, ...recordingFacts(input) },
			'Judged by an English word list (AFINN).',
		);
	},
};
