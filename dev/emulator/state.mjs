import { EventEmitter } from 'node:events';
import { createRateLimit } from './http/rate-limit.mjs';
import { createKeys } from './keys.mjs';
import { createUsage } from './usage.mjs';

/**
 * @typedef {object} SavedState what a storage folder keeps
 * @property {import('./keys.mjs').SavedKey[]} keys
 * @property {import('./voices.mjs').Voice[]} voices
 * @property {Record<import('./keys.mjs').Environment, number>} wallets credits
 *
 * @typedef {'keys' | 'wallets' | 'usage' | 'settings'} ChangedPart
 * @typedef {ReturnType<typeof createState>} State
 */

/**
 * Everything that one emulator remembers.
 * @param {SavedState} saved what to begin with
 * @param {import('./settings.mjs').Settings} settings
 * @param {string} uploads folder for uploaded files while they are read
 */
export function createState(saved, settings, uploads) {
	const changes = new EventEmitter();
	// One listener for each open console page: a large number is not a leak.
	changes.setMaxListeners(0);
	return {
		settings,
		uploads,
		keys: createKeys(saved.keys),
		wallets: saved.wallets,
		voices: saved.voices,
		usage: createUsage(),
		rateLimit: createRateLimit(),
		changes,
		/**
		 * Sends a change to open console pages.
		 * @param {ChangedPart} part
		 * @param {unknown} value as the console's API returns it
		 */
		announce(part, value) {
			changes.emit('change', part, value);
		},
	};
}

/**
 * @param {Pick<State, 'wallets'>} state
 * @returns {Record<import('./keys.mjs').Environment, {balance: number}>} the wallets as the console's
 *   API returns them
 */
export function walletsOf({ wallets: { sandbox, live } }) {
	return { sandbox: { balance: sandbox }, live: { balance: live } };
}
