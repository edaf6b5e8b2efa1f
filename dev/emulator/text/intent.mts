/** English only. The first rule wins if several match equally often. */
const rules: readonly [intent: string, words: RegExp][] = [
	['cancel', /\b(?:cancel\w*|terminate|unsubscribe|close my account)\b/gi],
	[
		'complain',
		/\b(?:complain\w*|unacceptable|broken|not working|doesn't work|disappointed|refund\w*)\b/gi,
	],
	['pay', /\b(?:pay|paid|payment\w*|invoice\w*|bill|billing|charge\w*|price\w*)\b/gi],
	['book', /\b(?:book|booking|reserve|reservation\w*|appointment\w*|schedule\w*)\b/gi],
	['order', /\b(?:buy|order|ordered|purchase\w*)\b/gi],
	['call_back', /\b(?:call (?:me|us) back|call back|callback|return my call)\b/gi],
	['get_help', /\b(?:help|support|assist\w*|problem\w*|issue\w*)\b/gi],
	['greet', /\b(?:hello|hi|good (?:morning|afternoon|evening))\b/gi],
];

export interface RecognizedIntent {
	intent: string;
	/** From 0 to 1, the share of all matches that are the intent's. */
	confidence: number;
	/** Words of the text, in small letters. */
	matches: string[];
}

/** @returns the intent whose words occur most often, otherwise that it is a question or a statement */
export function recognizeIntent({ text }: { text: string }): RecognizedIntent {
	const found = rules.map(([intent, words]) => ({
		intent,
		matches: (text.match(words) ?? []).map((match) => match.toLowerCase()),
	}));
	const all = found.reduce((sum, { matches }) => sum + matches.length, 0);
	if (all === 0) {
		const intent = /[?？¿]/u.test(text) ? 'ask_question' : 'make_statement';
		return { intent, confidence: 0.3, matches: [] };
	}
	const best = found.reduce((one, other) =>
		other.matches.length > one.matches.length ? other : one,
	);
	return { ...best, confidence: Math.round((best.matches.length / all) * 100) / 100 };
}
