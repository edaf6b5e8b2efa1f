/** Reads a text that n8n, Node or a server reports. It may have any type; '' replaces anything but a string. */
export function toStringOrEmpty(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** Joins the parts of a message. Empty parts leave no separator. */
export function joinTexts(texts: string[], separator = ' '): string {
	return texts.filter((text) => text !== '').join(separator);
}
