/** Returns the value if it is a string, and '' otherwise. */
export function toStringOrEmpty(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** Joins texts, without the empty ones. */
export function joinTexts(texts: string[], separator = ' '): string {
	return texts.filter((text) => text !== '').join(separator);
}
