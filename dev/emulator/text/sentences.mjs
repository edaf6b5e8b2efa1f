/**
 * @param {string} text not empty
 * @returns {string[]} at least one sentence, trimmed
 */
export function sentencesOf(text) {
	const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
	return [...segmenter.segment(text)].map(({ segment }) => segment.trim()).filter(Boolean);
}

/**
 * @param {string} text
 * @returns {number} words
 */
export function countWords(text) {
	const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
	return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;
}
