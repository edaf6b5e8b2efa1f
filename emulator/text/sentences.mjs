/**
 * Splits a text into sentences by the rules of Unicode.
 * @param {string} text not empty
 * @returns {string[]} without the white space around them, at least one
 */
export function sentencesOf(text) {
	const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
	return [...segmenter.segment(text)].map(({ segment }) => segment.trim()).filter(Boolean);
}

/**
 * @param {string} text
 * @returns {number} words by the rules of Unicode
 */
export function countWords(text) {
	const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
	return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;
}
