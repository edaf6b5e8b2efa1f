import { DEFAULT_SETTINGS, SETTING_OPTIONS } from './settings.mjs';

/** A change of the settings that makes no sense; its message says which and why. */
export class SettingError extends Error {}

const MOST_MS = 600_000;

/**
 * @typedef {Partial<Omit<import('./settings.mjs').Settings, 'statusCodes' | 'creditCosts'>> & {
 *   statusCodes?: Partial<import('./settings.mjs').Settings['statusCodes']>,
 *   creditCosts?: Partial<import('./settings.mjs').Settings['creditCosts']>}} SettingChanges
 */

/**
 * Checks a change of the settings, as it came from JSON.
 * @param {unknown} changes
 * @returns {SettingChanges} the same object
 * @throws {SettingError} naming the first setting that does not exist or has an impossible value
 */
export function readChanges(changes) {
	for (const [name, value] of entriesOf(changes, 'The settings')) {
		if (!Object.hasOwn(DEFAULT_SETTINGS, name)) {
			throw new SettingError(`There is no setting "${name}".`);
		}
		checkSetting(/** @type {keyof typeof DEFAULT_SETTINGS} */ (name), value);
	}
	return /** @type {SettingChanges} */ (changes);
}

/**
 * @param {keyof typeof DEFAULT_SETTINGS} name
 * @param {unknown} value
 */
function checkSetting(name, value) {
	if (name === 'statusCodes' || name === 'creditCosts') {
		const [least, most] = name === 'statusCodes' ? [400, 599] : [0, 1_000_000];
		for (const [part, number] of entriesOf(value, `"${name}"`)) {
			if (!Object.hasOwn(DEFAULT_SETTINGS[name], part)) {
				throw new SettingError(`"${name}" has no "${part}".`);
			}
			checkInteger(`${name}.${part}`, number, least, most);
		}
	} else if (name === 'voiceIdRequired' || name === 'languageRequired') {
		checkOneOf(name, value, [true, false]);
	} else if (Object.hasOwn(SETTING_OPTIONS, name)) {
		checkOneOf(name, value, SETTING_OPTIONS[/** @type {keyof typeof SETTING_OPTIONS} */ (name)]);
	} else {
		checkInteger(name, value, 0, name.endsWith('Ms') ? MOST_MS : Number.MAX_SAFE_INTEGER);
	}
}

/**
 * @param {unknown} value
 * @param {string} what
 * @returns {[string, unknown][]}
 */
function entriesOf(value, what) {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw new SettingError(`${what} must be a JSON object.`);
	}
	return Object.entries(value);
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {readonly unknown[]} allowed
 */
function checkOneOf(name, value, allowed) {
	if (!allowed.includes(value)) {
		const list = allowed.map((one) => JSON.stringify(one)).join(', ');
		throw new SettingError(`"${name}" must be one of ${list}.`);
	}
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {number} least
 * @param {number} most
 */
function checkInteger(name, value, least, most) {
	if (!Number.isSafeInteger(value) || Number(value) < least || Number(value) > most) {
		throw new SettingError(`"${name}" must be a whole number from ${least} to ${most}.`);
	}
}
