import { detectAll } from 'tinyld';

interface DetectedLanguage {
	/** ISO 639-1, `und` if none was found */
	language: string;
	/** From 0 to 1. */
	confidence: number;
}

export function detectLanguage({ text }: { text: string }): DetectedLanguage {
	const [best] = detectAll(text);
	if (best === undefined) return { language: 'und', confidence: 0 };
	return { language: best.lang, confidence: Math.round(best.accuracy * 100) / 100 };
}
