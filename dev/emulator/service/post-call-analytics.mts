import { recognizeIntent } from './intent.mts';
import { judgeSentiment } from './sentiment.mts';
import { createUndocumentedHandler } from './undocumented.mts';

const action = /\b(?:please|will|shall|must|need to|have to|let me|call back|send|email)\b/i;

export const postCallAnalytics = createUndocumentedHandler(
	4,
	'`summary` (the first sentence), `sentiment`, `intent`, `action_items` (sentences with please, will, shall, must, need to, have to, let me, call back, send or email)',
	({ text }) => {
		const segments = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)];
		const sentences = segments.map(({ segment }) => segment.trim()).filter(Boolean);
		return {
			summary: sentences[0],
			sentiment: judgeSentiment(text).sentiment,
			intent: recognizeIntent(text).intent,
			action_items: sentences.filter((sentence) => action.test(sentence)),
		};
	},
);
