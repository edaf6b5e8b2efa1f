import { jsonAnswer } from '../gateway/call.mjs';
import { recogniseIntent } from '../text/intent.mjs';
import { readEither, recordingFacts } from './either-input.mjs';

/**
 * POST /ai/intent. All of it is the emulator's own choice: the rules of text/intent.mjs.
 * @type {import('../gateway/call.mjs').Service<import('./either-input.mjs').EitherInput>}
 */
export const intent = {
	read: readEither,
	async perform(_call, input) {
		return jsonAnswer(
			{ ...recogniseIntent(input.text), text: input.text, ...recordingFacts(input) },
			'Found by a short list of English words for each intent.',
		);
	},
};
