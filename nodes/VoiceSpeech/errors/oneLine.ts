/** What would break a line, ring a bell, or turn the direction of what follows. */
const unprintable =
	// eslint-disable-next-line no-control-regex
	/[\s\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffd]+/g;

/**
 * Makes someone else's text fit for a sentence of ours.
 *
 * @param longest in characters; what is longer is cut
 */
export function oneLine(text: string, longest: number): string {
	const line = text.replace(unprintable, ' ').trim();
	const characters = [...line];
	return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : line;
}
