import { jsonAnswer } from '../gateway/call.mjs';
import { recogniseIntent } from '../text/intent.mjs';
import { detectLanguage } from '../text/language.mjs';
import { countWords, sentencesOf } from '../text/sentences.mjs';
import { judgeSentiment } from '../text/sentiment.mjs';
import { readEither, recordingFacts } from './either-input.mjs';

const ACTION = /\b(?:please|will|shall|must|need to|have to|let me|call back|send|email)\b/i;

/**
 * POST /ai/post-call-analytics. All of it is the emulator's own choice: the first sentence as the
 * summary, the sentences with a word of doing as action items, counts, and the rules of the
 * other operations.
 * @type {import('../gateway/call.mjs').Service<import('./either-input.mjs').EitherInput>}
 */
export const postCallAnalytics = {
	read: readEither,
	async perform(_call, input) {
		const sentences = sentencesOf(input.text);
		const { language } = await detectLanguage(input.text);
		const { sentiment, score } = judgeSentiment(input.text);
		return jsonAnswer(
			{
				summary: sentences[0],
				language: input.language ?? language,
				sentiment,
				sentiment_score: score,
				intent: recogniseIntent(input.text).intent,
				action_items: sentences.filter((sentence) => ACTION.test(sentence)),
				questions: sentences.filter((sentence) => /[?？]$/u.test(sentence)).length,
				words: countWords(input.text),
				sentences: sentences.length,
				duration_seconds: input.recording?.seconds ?? null,
				...recordingFacts(input),
			},
			'The summary is the first sentence; everything else is counted or matched by words.',
		);
	},
};
