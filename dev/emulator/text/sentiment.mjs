// @ts-expect-error the library has no types
import Sentiment from 'sentiment';

/** @type {{analyze(text: string): {comparative: number, positive: string[], negative: string[]}}} */
const analyser = new Sentiment();
/** Largest mean score per word of a neutral text. */
const MAX_NEUTRAL = 0.05;
/** The word list scores each word from -5 to 5. */
const MAX_SCORE = 5;

/**
 * @param {{text: string}} input
 * @returns {{sentiment: 'positive' | 'neutral' | 'negative', score: number, positive: string[],
 *   negative: string[]}} score from -1 to 1, and the words behind it
 */
export function judgeSentiment({ text }) {
	const { comparative, positive, negative } = analyser.analyze(text);
	const score = Math.round((comparative / MAX_SCORE) * 1000) / 1000;
	const isNeutral = Math.abs(comparative) <= MAX_NEUTRAL;
	const label = isNeutral ? 'neutral' : comparative > 0 ? 'positive' : 'negative';
	return { sentiment: label, score, positive, negative };
}
