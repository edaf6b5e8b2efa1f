import { environmentOfKey, keyPrefixes } from './apiKey';

/** Shortest part of a key, in characters, that is masked anywhere: a shorter one may occur by chance. */
const minLength = 8;

type Range = [start: number, end: number];

function indexesOf(text: string, wanted: string): number[] {
	const indexes: number[] = [];
	for (let index = text.indexOf(wanted); index >= 0; index = text.indexOf(wanted, index + 1)) {
		indexes.push(index);
	}
	return indexes;
}

/** The longest range around an index of the text that equals the secret around an offset. */
function equalRange(text: string, index: number, secret: string, offset: number): Range {
	let before = 0;
	while (before < offset && text[index - before - 1] === secret[offset - before - 1]) before++;
	let after = 0;
	while (offset + after < secret.length && text[index + after] === secret[offset + after]) after++;
	return [index - before, index + after];
}

/** Where the key is, from its prefix on, or a part of its secret of at least {@link minLength}. */
function keyRanges(text: string, prefix: string, secret: string): Range[] {
	const keys = indexesOf(text, prefix)
		.map((index) => equalRange(text, index, prefix + secret, 0))
		.filter(([start, end]) => end - start > prefix.length);
	const parts: Range[] = [];
	// Every part of minLength contains one of these blocks of half its length.
	const step = minLength / 2;
	for (let offset = 0; offset + step <= secret.length; offset += step) {
		for (const index of indexesOf(text, secret.slice(offset, offset + step))) {
			const range = equalRange(text, index, secret, offset);
			if (range[1] - range[0] >= minLength) parts.push(range);
		}
	}
	return [...keys, ...parts].sort(([a], [b]) => a - b);
}

/**
 * @param text anything that may quote the key, for example a response of the service
 * @param apiKey the key to mask
 * @returns the text with the key, and every part of it that reveals more than its public prefix, masked
 */
export function maskApiKey(text: string, apiKey: string): string {
	const environment = environmentOfKey(apiKey);
	if (environment === undefined) return text;
	const prefix = keyPrefixes[environment];
	const pieces: string[] = [];
	let copied = 0;
	for (const [start, end] of keyRanges(text, prefix, apiKey.slice(prefix.length))) {
		if (start >= copied) pieces.push(text.slice(copied, start), `${prefix}***`);
		copied = Math.max(copied, end);
	}
	return pieces.join('') + text.slice(copied);
}

/** A key ends where a sentence or JSON continues. */
const anyKey = new RegExp(
	`(${Object.values(keyPrefixes).join('|')})\\w([^\\s"'<>(),;]*[^\\s"'<>(),;.:!?])?`,
	'g',
);

/** Masks everything that looks like a key, if the key itself is unknown. */
export function maskAnyApiKey(text: string): string {
	return text.replace(anyKey, '$1***');
}
