import { createUndocumentedHandler } from './undocumented.mts';

/** English only. The first rule wins if several match equally often. */
const rules: ReadonlyArray<[intent: string, words: RegExp]> = [
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

export const intent = createUndocumentedHandler(
	1,
	'`intent`, `confidence`, `matches`: the intent whose English words occur most often: cancel, complain, pay, book, order, call_back, get_help, greet (the first wins if equal); otherwise ask_question if there is a question mark, or make_statement',
	({ text }) => recognizeIntent(text),
);

/** @returns the intent, the share of all matches that are its own, and its own matches in lower case */
export function recognizeIntent(text: string) {
	const found = rules.map(([name, words]) => ({
		intent: name,
		matches: (text.match(words) ?? []).map((match) => match.toLowerCase()),
	}));
	const all = found.reduce((sum, { matches }) => sum + matches.length, 0);
	if (all === 0) {
		const fallback = /[?？¿]/u.test(text) ? 'ask_question' : 'make_statement';
		return { intent: fallback, confidence: 0.3, matches: [] };
	}
	const best = found.reduce((one, other) =>
		other.matches.length > one.matches.length ? other : one,
	);
	return { ...best, confidence: Math.round((best.matches.length / all) * 100) / 100 };
}
