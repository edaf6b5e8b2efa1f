import { detectAll } from 'tinyld';

import { createUndocumentedHandler } from './undocumented.mts';

export const languageDetection = createUndocumentedHandler(
	1,
	'`language` (`und` for none), `confidence`: found by the library `tinyld`',
	({ text }) => detectLanguage(text),
);

/** @returns the language as ISO 639-1, or `und` if none was found, and the confidence from 0 to 1 */
export function detectLanguage(text: string) {
	const [best] = detectAll(text);
	if (best === undefined) return { language: 'und', confidence: 0 };
	return { language: best.lang, confidence: Math.round(best.accuracy * 100) / 100 };
}
