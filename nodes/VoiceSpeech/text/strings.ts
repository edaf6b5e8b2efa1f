/** A value that should be a text; empty if it is not one. */
export function toTextOrEmpty(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** Joins texts, without the empty ones. */
export function joinTexts(texts: string[], separator = ' '): string {
	return texts.filter((text) => text !== '').join(separator);
}
