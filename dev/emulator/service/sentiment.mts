import Sentiment from 'sentiment';

import { createUndocumentedHandler } from './undocumented.mts';

const analyzer = new Sentiment();
/** Largest mean score per word of a neutral text. */
const maxNeutral = 0.05;
/** The word list scores each word from -5 to 5. */
const maxScore = 5;

export const sentiment = createUndocumentedHandler(
	1,
	'`sentiment`, `score`, `positive`, `negative`: the library `sentiment` (AFINN, an English word list). The score is the mean per word divided by 5; up to ±0.05 before that division it is neutral',
	({ text }) => judgeSentiment(text),
);

/** @returns the sentiment, its score from -1 to 1, and the words that decide it */
export function judgeSentiment(text: string) {
	const { comparative, positive, negative } = analyzer.analyze(text);
	const score = Math.round((comparative / maxScore) * 1000) / 1000;
	return { sentiment: labelSentiment(comparative), score, positive, negative };
}

function labelSentiment(comparative: number) {
	if (Math.abs(comparative) <= maxNeutral) return 'neutral';
	return comparative > 0 ? 'positive' : 'negative';
}
