import { recognizeIntent } from '../text/intent.mts';
import { judgeSentiment } from '../text/sentiment.mts';
import { createUndocumentedService } from './undocumented.mts';

const action = /\b(?:please|will|shall|must|need to|have to|let me|call back|send|email)\b/i;

/** POST /ai/post-call-analytics. */
export const postCallAnalytics = createUndocumentedService(
	4,
	'`summary` (the first sentence), `sentiment`, `intent`, `action_items` (sentences with please, will, shall, must, need to, have to, let me, call back, send or email)',
	(input) => {
		const sentences = splitSentences(input.text);
		return {
			summary: sentences[0],
			sentiment: judgeSentiment(input).sentiment,
			intent: recognizeIntent(input).intent,
			action_items: sentences.filter((sentence) => action.test(sentence)),
		};
	},
);

/**
 * @param text not empty
 * @returns at least one sentence, trimmed
 */
function splitSentences(text: string): string[] {
	const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
	return [...segmenter.segment(text)].map(({ segment }) => segment.trim()).filter(Boolean);
}
