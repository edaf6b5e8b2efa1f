import { recognizeIntent } from '../text/intent.mts';
import { countWords, splitSentences } from '../text/sentences.mts';
import { judgeSentiment } from '../text/sentiment.mts';
import { createUndocumentedService, findLanguage } from './undocumented.mts';

const action = /\b(?:please|will|shall|must|need to|have to|let me|call back|send|email)\b/i;

/** POST /ai/post-call-analytics. */
export const postCallAnalytics = createUndocumentedService(
	4,
	'`summary` (the first sentence), `language`, `sentiment`, `sentiment_score`, `intent`, `action_items` (sentences with please, will, shall, must, need to, have to, let me, call back, send or email), `questions`, `words`, `sentences`, `duration_seconds`',
	(input) => {
		const sentences = splitSentences(input.text);
		const judged = judgeSentiment(input);
		return {
			summary: sentences[0],
			language: findLanguage(input),
			sentiment: judged.sentiment,
			sentiment_score: judged.score,
			intent: recognizeIntent(input).intent,
			action_items: sentences.filter((sentence) => action.test(sentence)),
			questions: sentences.filter((sentence) => /[?？]$/u.test(sentence)).length,
			words: countWords(input.text),
			sentences: sentences.length,
			duration_seconds: input.recording?.seconds ?? null,
		};
	},
);
