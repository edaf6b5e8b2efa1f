/**
 * @param text not empty
 * @returns at least one sentence, trimmed
 */
export function splitSentences(text: string): string[] {
	const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
	return [...segmenter.segment(text)].map(({ segment }) => segment.trim()).filter(Boolean);
}

/** @returns words */
export function countWords(text: string): number {
	const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
	return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;
}
