// @ts-expect-error the library has no types
import Sentiment from 'sentiment';

const analyser: {
	analyze(text: string): { comparative: number; positive: string[]; negative: string[] };
} = new Sentiment();
/** Largest mean score per word of a neutral text. */
const MAX_NEUTRAL = 0.05;
/** The word list scores each word from -5 to 5. */
const MAX_SCORE = 5;

/** @returns score from -1 to 1, and the words behind it */
export function judgeSentiment({ text }: { text: string }): {
	sentiment: 'positive' | 'neutral' | 'negative';
	score: number;
	positive: string[];
	negative: string[];
} {
	const { comparative, positive, negative } = analyser.analyze(text);
	const score = Math.round((comparative / MAX_SCORE) * 1000) / 1000;
	const isNeutral = Math.abs(comparative) <= MAX_NEUTRAL;
	const label = isNeutral ? 'neutral' : comparative > 0 ? 'positive' : 'negative';
	return { sentiment: label, score, positive, negative };
}
