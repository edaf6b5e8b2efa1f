import { readChanges } from './settings-check.mjs';
import { DEFAULT_SETTINGS } from './settings.mjs';

/** @typedef {import('./settings.mjs').Settings} Settings */

/**
 * Holds the live settings of one emulator.
 * @param {unknown} [initial] changes to the defaults, as for `set`
 * @returns {{current: Settings, set: (changes: unknown) => Settings}} `current` is one object that
 *   stays the same and is kept up to date; `set` takes an object with the settings to change
 *   (`statusCodes` and `creditCosts` may be partial too), and changes all of them or none
 * @throws {import('./settings-check.mjs').SettingError} naming the first setting that is wrong
 */
export function createSettings(initial = {}) {
	const current = structuredClone(DEFAULT_SETTINGS);
	const store = {
		current,
		/** @param {unknown} changes */
		set(changes) {
			const { statusCodes, creditCosts, ...rest } = readChanges(changes);
			Object.assign(current, rest);
			Object.assign(current.statusCodes, statusCodes);
			Object.assign(current.creditCosts, creditCosts);
			return current;
		},
	};
	store.set(initial);
	return store;
}
