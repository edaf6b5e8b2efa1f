import { EventEmitter } from 'node:events';
import { createRateLimit } from './gateway/rate-limit.mjs';
import { createKeys } from './keys.mjs';
import { createUsage } from './usage.mjs';
import { createVoices } from './voices.mjs';
import { createWallets } from './wallets.mjs';

/** Whole credits in each wallet at the start: the emulator's own choice. */
export const DEFAULT_CREDITS = 10_000;

/**
 * @typedef {'keys' | 'wallets' | 'usage' | 'settings'} ChangedPart
 * @typedef {ReturnType<typeof createState>} State
 */

/**
 * All that one emulator remembers, in memory only.
 * @param {{settings: import('./settings.mjs').Settings, credits: {sandbox: number, live: number},
 *   uploads: string}} parts `uploads` is the folder for files while they are measured
 */
export function createState({ settings, credits, uploads }) {
	const changes = new EventEmitter();
	// One listener for each open console page: their number is no sign of a leak.
	changes.setMaxListeners(0);
	return {
		settings,
		uploads,
		keys: createKeys(),
		wallets: createWallets(credits),
		usage: createUsage(),
		voices: createVoices(),
		rateLimit: createRateLimit(),
		changes,
		/**
		 * Tells open console pages what is new.
		 * @param {ChangedPart} part
		 * @param {unknown} value as the console's API gives it
		 */
		announce(part, value) {
			changes.emit('change', part, value);
		},
	};
}
