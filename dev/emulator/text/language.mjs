/**
 * @param {{text: string}} input
 * @returns {Promise<{language: string, reliable: boolean, scores: {language: string,
 *   score: number}[]}>} `language` as ISO 639-1, `und` if none was found; at most five scores from 0
 *   to 1, the best first
 */
export async function detectLanguage({ text }) {
	// Loaded on the first call, because its tables would delay the start by 0.2 seconds.
	const { eld } = await import('eld/small');
	const result = eld.detect(text);
	const scores = Object.entries(result.getScores())
		.map(([language, score]) => ({ language, score: Math.round(score * 1000) / 1000 }))
		.sort((one, other) => other.score - one.score)
		.slice(0, 5);
	return { language: result.language || 'und', reliable: result.isReliable(), scores };
}
