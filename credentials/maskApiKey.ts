import { environmentOfKey, keyPrefixes } from './apiKey';

/** So much of a key, in characters, is no chance: it is masked wherever it stands. */
const telling = 8;

/** A stretch of a text, from the first character to behind the last. */
type Stretch = [start: number, end: number];

function placesOf(text: string, wanted: string): number[] {
	const places: number[] = [];
	for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) places.push(at);
	return places;
}

/** The longest stretch around a place of the text that stands in the secret too, around a place of its own. */
function stretchAround(text: string, at: number, secret: string, place: number): Stretch {
	let before = 0;
	while (before < place && text[at - before - 1] === secret[place - before - 1]) before++;
	let after = 0;
	while (place + after < secret.length && text[at + after] === secret[place + after]) after++;
	return [at - before, at + after];
}

/** Where the secret, or a telling part of it, stands. */
function stretchesOf(text: string, prefix: string, secret: string): Stretch[] {
	const behindPrefix = placesOf(text, prefix)
		.map((at) => stretchAround(text, at, prefix + secret, 0))
		.filter(([start, end]) => end - start > prefix.length);
	const blocks: Stretch[] = [];
	// In steps of half a telling part: every telling part holds one of these blocks whole.
	const step = telling / 2;
	for (let place = 0; place + step <= secret.length; place += step) {
		for (const at of placesOf(text, secret.slice(place, place + step))) {
			const stretch = stretchAround(text, at, secret, place);
			if (stretch[1] - stretch[0] >= telling) blocks.push(stretch);
		}
	}
	return [...behindPrefix, ...blocks].sort(([a], [b]) => a - b);
}

/**
 * @param text anything that may quote the key, a service's answer for example
 * @param apiKey the key to hide
 * @returns the text with the key, and every part of it that says more than its public prefix, replaced
 */
export function maskApiKey(text: string, apiKey: string): string {
	const environment = environmentOfKey(apiKey);
	if (environment === undefined) return text;
	const prefix = keyPrefixes[environment];
	const pieces: string[] = [];
	let done = 0;
	for (const [start, end] of stretchesOf(text, prefix, apiKey.slice(prefix.length))) {
		if (start >= done) pieces.push(text.slice(done, start), `${prefix}***`);
		done = Math.max(done, end);
	}
	return pieces.join('') + text.slice(done);
}

/** A key ends where a sentence or a JSON text goes on. */
const anyKey = new RegExp(
	`(${Object.values(keyPrefixes).join('|')})\\w([^\\s"'<>(),;]*[^\\s"'<>(),;.:!?])?`,
	'g',
);

/** Hides everything that looks like a key, where the key itself is not known. */
export function maskAnyApiKey(text: string): string {
	return text.replace(anyKey, '$1***');
}
