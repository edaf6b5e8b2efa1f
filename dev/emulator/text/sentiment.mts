// @ts-expect-error the library has no types
import Sentiment from 'sentiment';

/** What the library finds in a text. */
interface Analysis {
	/** Mean score of a word. */
	comparative: number;
	positive: string[];
	negative: string[];
}

export interface JudgedSentiment {
	sentiment: 'positive' | 'neutral' | 'negative';
	/** From -1 to 1. */
	score: number;
	/** The words behind the score. */
	positive: string[];
	negative: string[];
}

const analyzer: { analyze: (text: string) => Analysis } = new Sentiment();
/** Largest mean score per word of a neutral text. */
const maxNeutral = 0.05;
/** The word list scores each word from -5 to 5. */
const maxScore = 5;

export function judgeSentiment({ text }: { text: string }): JudgedSentiment {
	const { comparative, positive, negative } = analyzer.analyze(text);
	const score = Math.round((comparative / maxScore) * 1000) / 1000;
	return { sentiment: labelSentiment(comparative), score, positive, negative };
}

function labelSentiment(comparative: number): JudgedSentiment['sentiment'] {
	if (Math.abs(comparative) <= maxNeutral) return 'neutral';
	return comparative > 0 ? 'positive' : 'negative';
}
