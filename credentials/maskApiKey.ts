import { keyPrefixes, type Environment } from './apiKey';

/** Shortest secret, in characters, that is masked without its prefix. A shorter one may be a word of the text. */
const minSecretLength = 8;

/**
 * Masks a key in anything that may quote it, for example a response of the service. A text is masked before it is cut,
 * because a part of the key is not recognized.
 */
export type KeyMasker = (text: string) => string;

/**
 * Creates the function that masks a key in any case, also percent-encoded (as by encodeURIComponent) or escaped in JSON.
 * The part after the prefix is masked alone too, if it has at least {@link minSecretLength} characters.
 *
 * @param apiKey visible ASCII that starts with the prefix of the environment
 */
export function createKeyMasker(apiKey: string, environment: Environment): KeyMasker {
	const prefix = keyPrefixes[environment];
	const secret = apiKey.slice(prefix.length);
	const forms = [encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), secret]
		// A form may begin with another one.
		.sort((a, b) => b.length - a.length)
		.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
	const quantifier = secret.length < minSecretLength ? '' : '?';
	const pattern = new RegExp(`(?:${prefix})${quantifier}(?:${forms.join('|')})`, 'gi');
	return (text) => text.replace(pattern, `${prefix}***`);
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
