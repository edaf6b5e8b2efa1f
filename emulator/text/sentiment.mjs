// @ts-expect-error the library comes without types
import Sentiment from 'sentiment';

/** @type {{analyze(text: string): {comparative: number, positive: string[], negative: string[]}}} */
const analyser = new Sentiment();
/** A word list's mean score beyond which a text counts as more than neutral. */
const NEUTRAL_UP_TO = 0.05;
/** The word list scores each word from -5 to 5. */
const STRONGEST = 5;

/**
 * Judges a text with the library `sentiment`, whose word list (AFINN) is English.
 * @param {string} text
 * @returns {{sentiment: 'positive' | 'neutral' | 'negative', score: number, positive: string[],
 *   negative: string[]}} score from -1 to 1, and the words that made it
 */
export function judgeSentiment(text) {
	const { comparative, positive, negative } = analyser.analyze(text);
	const score = Math.round((comparative / STRONGEST) * 1000) / 1000;
	const label =
		comparative > NEUTRAL_UP_TO
			? 'positive'
			: comparative < -NEUTRAL_UP_TO
				? 'negative'
				: 'neutral';
	return { sentiment: label, score, positive, negative };
}
