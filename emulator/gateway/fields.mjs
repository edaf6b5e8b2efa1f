import { Refusal } from './refusal.mjs';

/**
 * Reads a text that must be there.
 * @param {unknown} value
 * @param {string} name of the field or part
 * @param {number} [most] characters (Unicode code points); 0 for any number
 * @returns {string} as it came
 * @throws {Refusal} badField or tooLarge
 */
export function requireText(value, name, most = 0) {
	if (typeof value !== 'string' || value.trim() === '') {
		throw new Refusal('badField', `"${name}" must be a text that is not empty.`, name);
	}
	if (most > 0 && [...value].length > most) {
		throw new Refusal('tooLarge', `"${name}" is longer than ${most} characters.`, name);
	}
	return value;
}

/**
 * Reads a language code. Source: interface document ("for example a two-letter code"); which codes
 * pass, and whether it may be missing, is the emulator's own choice.
 * @param {unknown} value
 * @param {boolean} required
 * @returns {string | undefined}
 * @throws {Refusal} badField
 */
export function readLanguage(value, required) {
	if (value === undefined && !required) return undefined;
	if (typeof value !== 'string' || !/^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i.test(value)) {
		throw new Refusal('badField', '"language" must be a language code such as "en".', 'language');
	}
	return value;
}
