import { EventEmitter } from 'node:events';

import { createKeys, type KeyRecord } from './keys.mts';
import { defaultCreditCosts, listAvailableScopes } from './operations.mts';
import { defaultSettings, settingOptions, type Settings } from './settings.mts';
import { createUsage, type CallRecord } from './usage.mts';
import { createWallets, type Wallets } from './wallets.mts';
import type { SavedState, Voice } from './storage.mts';

/** What the console's page needs for its controls. */
export interface SettingControls {
	settings: Settings;
	/** The allowed values of the settings that are a choice from a list. */
	options: Record<string, readonly string[]>;
	/** The scopes that a key can have. */
	scopes: string[];
}

/** The content of each event for the console's page, by the event's name. */
export interface Events {
	settings: SettingControls;
	wallets: Wallets;
	keys: { keys: KeyRecord[] };
	usage: { calls: CallRecord[] };
	call: CallRecord;
}

export type EmulatorState = ReturnType<typeof createState>;

/**
 * Everything that one emulator remembers. After a crash, it must know all that a client knows, such as a key or a debit.
 * So a change of what is kept is saved at once. If that fails, the request gets a 500. A debit and a new voice are then
 * undone. A key or a balance that was changed in the console stays in memory, and the next save writes it.
 *
 * @param saved what to begin with
 * @param uploads folder for uploaded files while they are read
 * @param save writes `saved`, which the state changes in place
 */
export function createState(saved: SavedState, uploads: string, save: () => void) {
	const changes = new EventEmitter();
	// Each open console page has a listener, so a large number is not a leak.
	changes.setMaxListeners(0);
	/** Sends a change to open console pages. */
	const publish = <Name extends keyof Events>(event: Name, value: Events[Name]) => {
		changes.emit('change', event, value);
	};
	const settings: Settings = { ...defaultSettings, creditCosts: { ...defaultCreditCosts } };
	const describeSettings = (): SettingControls => ({
		settings,
		options: settingOptions,
		scopes: listAvailableScopes(settings.voiceCloneScope),
	});
	const keys = createKeys(saved.keys, () => {
		publish('keys', { keys: keys.list() });
		save();
	});
	const wallets = createWallets(saved.wallets, () => {
		publish('wallets', wallets.list());
		save();
	});
	return {
		settings,
		describeSettings,
		changeSettings({ creditCosts, ...others }: Partial<Settings>) {
			Object.assign(settings, others);
			Object.assign(settings.creditCosts, creditCosts);
			publish('settings', describeSettings());
			return settings;
		},
		uploads,
		keys,
		wallets,
		voices: saved.voices,
		/** @throws {Error} if the voice cannot be saved; it is then not kept */
		addVoice: (voice: Voice) => {
			saved.voices.push(voice);
			try {
				save();
			} catch (error) {
				saved.voices.pop();
				throw error;
			}
		},
		usage: createUsage((call) => publish('call', call)),
		/** Times of the calls that passed a rate limit, in ms, by the id of their key. */
		admittedCalls: new Map<string, number[]>(),
		changes,
	};
}
