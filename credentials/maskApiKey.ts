import { keyPrefixes, type Environment } from './apiKey';

/** Shortest secret, in characters, that is masked without its prefix. A shorter one may be a word of the text. */
const minSecretLength = 8;

/** How many characters must match before the rest is compared. */
const candidateLength = 4;

/** Characters with a meaning in regular expressions. */
const special = /[\\^$.*+?()[\]{}|/-]/g;

/** Matches a character as a text may contain it, in any case, escaped in JSON, or percent-encoded (RFC 3986, 2.1). */
function createCharacterPattern(character: string): string {
	const code = character.charCodeAt(0).toString(16).padStart(2, '0');
	return `\\\\*(?:${character.replace(special, '\\$&')}|%${code})`;
}

/** Matches the first characters of a text, without consuming them, because another candidate may begin within them. */
function createStartPattern(text: string): string {
	const characters = [...text.slice(0, candidateLength)];
	return `(?=${characters.map(createCharacterPattern).join('')})`;
}

/** Index after the character at this index, in any of its forms; undefined for another character. */
function findCharacterEnd(text: string, index: number, character: string): number | undefined {
	let start = index;
	while (text[start] === '\\' && character !== '\\') start++;
	const wanted = character.toLowerCase();
	if (text[start]?.toLowerCase() === wanted) return start + 1;
	if (text[start] !== '%') return undefined;
	const code = parseInt(text.slice(start + 1, start + 3), 16);
	return String.fromCharCode(code).toLowerCase() === wanted ? start + 3 : undefined;
}

/** How much of a secret, from its first character, is at an index of the text. */
function measureMatch(
	text: string,
	index: number,
	secret: string,
): { end: number; length: number } {
	let end = index;
	let length = 0;
	for (const character of secret) {
		const next = findCharacterEnd(text, end, character);
		if (next === undefined) break;
		end = next;
		length++;
	}
	return { end, length };
}

/** Index after the key, its beginning, or its secret at an index of the text; undefined if none of them is there. */
function findKeyEnd(
	text: string,
	index: number,
	prefix: string,
	secret: string,
): number | undefined {
	const key = measureMatch(text, index, prefix + secret);
	if (key.length > prefix.length) return key.end;
	if (secret.length < minSecretLength) return undefined;
	const alone = measureMatch(text, index, secret);
	return alone.length === secret.length ? alone.end : undefined;
}

/** Masks a key in anything that may quote it, for example a response of the service. */
export type KeyMasker = (text: string) => string;

/**
 * Creates the function that masks a key in any case, percent-encoded or escaped. Behind its prefix, its beginning alone is
 * masked too. Without the prefix, only the complete secret is.
 */
export function createKeyMasker(apiKey: string, environment: Environment): KeyMasker {
	const prefix = keyPrefixes[environment];
	const secret = apiKey.slice(prefix.length);
	const starts = secret.length < minSecretLength ? [prefix] : [prefix, secret];
	const candidates = new RegExp(starts.map(createStartPattern).join('|'), 'gi');

	return function maskKey(text: string): string {
		const pieces: string[] = [];
		let copied = 0;
		for (const { index } of text.matchAll(candidates)) {
			const end = index < copied ? undefined : findKeyEnd(text, index, prefix, secret);
			if (end === undefined) continue;
			pieces.push(text.slice(copied, index), `${prefix}***`);
			copied = end;
		}
		return pieces.join('') + text.slice(copied);
	};
}

/** A key ends where a sentence or JSON continues. */
const anyKey = new RegExp(
	`(${Object.values(keyPrefixes).join('|')})\\w([^\\s"'<>(),;]*[^\\s"'<>(),;.:!?])?`,
	'gi',
);

/** Masks everything that looks like a key, if the key itself is unknown. */
export function maskAnyApiKey(text: string): string {
	return text.replace(anyKey, '$1***');
}
