import { Refusal } from './refusal.mts';

/**
 * @param maximum Unicode code points; 0 for no limit
 * @returns the value, unchanged
 * @throws {Refusal} badField or tooLarge
 */
export function requireText(value: unknown, name: string, maximum: number = 0): string {
	if (typeof value !== 'string' || value.trim() === '') {
		throw new Refusal('badField', `"${name}" must be a text that is not empty.`);
	}
	if (maximum > 0 && [...value].length > maximum) {
		throw new Refusal('tooLarge', `"${name}" is longer than ${maximum} characters.`);
	}
	return value;
}

/** @throws {Refusal} badField */
export function readLanguage(value: unknown): string | undefined {
	if (value === undefined) return undefined;
	if (typeof value !== 'string' || !/^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i.test(value)) {
		throw new Refusal('badField', '"language" must be a language code such as "en".');
	}
	return value;
}
