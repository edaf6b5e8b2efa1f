import { EventEmitter } from 'node:events';
import { createRateLimit } from './http/rate-limit.mts';
import { createKeys } from './keys.mts';
import { createUsage } from './usage.mts';
import type { Environment, SavedKey } from './keys.mts';
import type { Voice } from './voices.mts';
import type { Settings } from './settings.mts';

/** what a storage folder keeps */
export interface SavedState {
	keys: SavedKey[];
	voices: Voice[];
	/** credits */
	wallets: Record<Environment, number>;
}

export type ChangedPart = 'keys' | 'wallets' | 'usage' | 'settings';

export type State = ReturnType<typeof createState>;

/**
 * Everything that one emulator remembers.
 * @param saved what to begin with
 * @param uploads folder for uploaded files while they are read
 */
export function createState(saved: SavedState, settings: Settings, uploads: string) {
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
		 * @param value as the console's API returns it
		 */
		announce(part: ChangedPart, value: unknown) {
			changes.emit('change', part, value);
		},
	};
}

/** @returns the wallets as the console's API returns them */
export function walletsOf({
	wallets: { sandbox, live },
}: Pick<State, 'wallets'>): Record<Environment, { balance: number }> {
	return { sandbox: { balance: sandbox }, live: { balance: live } };
}
