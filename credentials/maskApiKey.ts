import { findEnvironment, keyPrefixes } from './apiKey';

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

function createStartPattern(text: string): string {
	return [...text.slice(0, candidateLength)].map(createCharacterPattern).join('');
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

/**
 * Masks the key in any case, percent-encoded or escaped: with its prefix also its beginning alone, without its prefix only
 * the complete secret.
 *
 * @param text anything that may quote the key, for example a response of the service
 */
export function maskApiKey(text: string, apiKey: string): string {
	const environment = findEnvironment(apiKey);
	if (environment === undefined) return text;
	const prefix = keyPrefixes[environment];
	const secret = apiKey.slice(prefix.length);
	const isSecretLong = secret.length >= minSecretLength;
	const starts = isSecretLong ? [prefix, secret] : [prefix];
	const candidates = new RegExp(starts.map(createStartPattern).join('|'), 'gi');
	const pieces: string[] = [];
	let copied = 0;
	for (let found = candidates.exec(text); found !== null; found = candidates.exec(text)) {
		const { index } = found;
		candidates.lastIndex = index + 1;
		const withPrefix = measureMatch(text, index, apiKey);
		const alone = isSecretLong ? measureMatch(text, index, secret) : undefined;
		let end: number | undefined;
		if (withPrefix.length > prefix.length) {
			end = withPrefix.end;
		} else if (alone?.length === secret.length) {
			end = alone.end;
		}
		if (end === undefined) continue;
		pieces.push(text.slice(copied, index), `${prefix}***`);
		copied = end;
		candidates.lastIndex = end;
	}
	return pieces.join('') + text.slice(copied);
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
