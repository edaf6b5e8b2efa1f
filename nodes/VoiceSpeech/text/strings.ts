/** Joins texts, without the empty ones. */
export function joinTexts(texts: string[], separator = ' '): string {
	return texts.filter((text) => text !== '').join(separator);
}
