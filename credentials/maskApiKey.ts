import { keyPrefixes, type Environment } from './apiKey';

/** Shortest secret, in characters, that is masked without its prefix. A shorter one may be a word of the text. */
const minSecretLength = 8;

/** How many characters must match before the rest is compared. */
const candidateLength = 4;

/** Characters with a meaning in regular expressions. */
const special = /[\\^$.*+?()[\]{}|/-]/g;

/**
 * Matches the backslashes that escape a character. JSON in JSON doubles them at each level. Their number is limited for
 * keys that contain a backslash. A search for such a key would otherwise take quadratic time for a run of backslashes.
 */
const escapes = '\\\\{0,15}';

/** Characters that HTML and XML write as a named reference. */
const namedReferences: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&apos;',
};

/**
 * Matches a character as a text may contain it, without the backslashes before it. It may be in any case, escaped in JSON
 * (RFC 8259, 7), percent-encoded once or more often (RFC 3986, 2.1), or a character reference of HTML.
 */
function createCharacterPattern(character: string): string {
	const code = character.charCodeAt(0);
	const hex = code.toString(16).padStart(2, '0');
	const named = namedReferences[character];
	// The encoded forms come first, because a form may begin with the character itself ('%25', '&amp;').
	const forms = [
		...(named === undefined ? [] : [named]),
		`&#0*${code};`,
		`&#x0*${hex};`,
		`%(?:25)*${hex}`,
		`u00${hex}`,
		character.replace(special, '\\$&'),
	];
	return `(?:${forms.join('|')})`;
}

/** Matches the first characters of a text, without consuming them, because another candidate may begin within them. */
function createStartPattern(text: string): string {
	const characters = [...text.slice(0, candidateLength)];
	return `(?=${characters.map(createCharacterPattern).join(escapes)})`;
}

/** One pattern for each character of a text. They match at their `lastIndex` only. */
function createCharacterPatterns(text: string): RegExp[] {
	return [...text].map((character, position) => {
		const pattern = createCharacterPattern(character);
		return new RegExp(position === 0 ? pattern : `${escapes}${pattern}`, 'iy');
	});
}

/** Counts how many of the patterns match, one after the other, from an index of the text. */
function matchCharacters(
	text: string,
	index: number,
	patterns: RegExp[],
): { end: number; count: number } {
	let end = index;
	let count = 0;
	for (const pattern of patterns) {
		pattern.lastIndex = end;
		if (!pattern.test(text)) break;
		end = pattern.lastIndex;
		count++;
	}
	return { end, count };
}

/**
 * Masks a key in anything that may quote it, for example a response of the service. A text is masked before it is cut,
 * because a part of the key might not be recognized.
 */
export type KeyMasker = (text: string) => string;

/**
 * Creates the function that masks a key in any case, percent-encoded or escaped. A key that is cut off is masked if its
 * prefix is there. Without the prefix, the rest is masked only if it is complete.
 */
export function createKeyMasker(apiKey: string, environment: Environment): KeyMasker {
	const prefix = keyPrefixes[environment];
	const secret = apiKey.slice(prefix.length);
	const keyPatterns = createCharacterPatterns(apiKey);
	const secretPatterns = secret.length < minSecretLength ? [] : createCharacterPatterns(secret);
	const starts = secret.length < minSecretLength ? [prefix] : [prefix, secret];
	const candidates = new RegExp(starts.map(createStartPattern).join('|'), 'gi');

	/** Index after the key, its beginning, or its secret at an index of the text; undefined if none of them is there. */
	function findKeyEnd(text: string, index: number): number | undefined {
		const key = matchCharacters(text, index, keyPatterns);
		if (key.count > prefix.length) return key.end;
		if (secretPatterns.length === 0) return undefined;
		const alone = matchCharacters(text, index, secretPatterns);
		return alone.count === secret.length ? alone.end : undefined;
	}

	return function maskKey(text: string): string {
		const pieces: string[] = [];
		let copied = 0;
		for (const { index } of text.matchAll(candidates)) {
			const end = index < copied ? undefined : findKeyEnd(text, index);
			if (end === undefined) continue;
			// All backslashes before the key go with it. A part of them could escape the mask, and JSON would be invalid.
			let start = index;
			while (start > copied && text[start - 1] === '\\') start--;
			pieces.push(text.slice(copied, start), `${prefix}***`);
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

/** Masks everything that looks like a key of this service, such as the key of another credential. */
export function maskAnyApiKey(text: string): string {
	return text.replace(anyKey, '$1***');
}
