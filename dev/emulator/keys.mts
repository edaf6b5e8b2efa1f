import { createHash, randomBytes, randomUUID } from 'node:crypto';

const prefixes = { sandbox: 'eak_test_', live: 'eak_live_' };

/** The product of this service, which refuses the keys of other products. */
export const productName = 'voice-and-speech';

export type Environment = 'sandbox' | 'live';

export interface KeyRecord {
	id: string;
	/** Label, may be empty. */
	name: string;
	/** The part of the key that may be shown, like `eak_test_abcd…`. */
	prefix: string;
	environment: Environment;
	scopes: string[];
	product: string;
	/** In ISO 8601. */
	createdAt: string;
	/** In ISO 8601. */
	revokedAt: string | null;
}

/** The properties of a new key that its creator chooses. */
export type NewKeyOptions = Pick<KeyRecord, 'environment' | 'scopes'> &
	Partial<Pick<KeyRecord, 'product' | 'name'>>;

/** A key that was just created. Its text is known only now, because only its hash is kept. */
export type CreatedKey = KeyRecord & { key: string };

/** A key as it is saved in the emulator's folder. */
export type SavedKey = Omit<KeyRecord, 'environment'> & {
	hash: string;
	/** Milliseconds since 1970; null unless it is revoked. */
	refusedFrom: number | null;
};

/** A key that was issued. */
export type FoundKey = KeyRecord & {
	/** Whether the delay of its revocation is over. */
	isRefused: boolean;
};

/**
 * Creates, lists, revokes and finds API keys. Only the hash of a key is kept.
 *
 * @param saved the keys to begin with, changed in place
 * @param onChange called after each change
 */
export function createKeys(saved: SavedKey[], onChange: () => void) {
	return {
		/** @returns the new key with its text, which cannot be read again */
		create({ environment, scopes, product = productName, name = '' }: NewKeyOptions): CreatedKey {
			const random = randomBytes(16).toString('hex');
			const key = prefixes[environment] + random;
			const created = {
				id: randomUUID(),
				name,
				prefix: `${prefixes[environment]}${random.slice(0, 4)}…`,
				scopes: [...new Set(scopes)],
				product,
				createdAt: new Date().toISOString(),
				revokedAt: null,
				hash: hashKey(key),
				refusedFrom: null,
			};
			saved.push(created);
			onChange();
			return { ...toRecord(created), key };
		},

		/** @returns all keys, the oldest first */
		list(): KeyRecord[] {
			return saved.map(toRecord);
		},

		/**
		 * Revokes a key; revoking it again changes nothing.
		 *
		 * @param delayMs time until the key is refused
		 * @returns the key; undefined if there is none with this ID
		 */
		revoke(id: string, delayMs: number): KeyRecord | undefined {
			const key = saved.find((one) => one.id === id);
			if (!key) return undefined;
			key.revokedAt ??= new Date().toISOString();
			key.refusedFrom ??= Date.now() + delayMs;
			onChange();
			return toRecord(key);
		},

		/** @returns the key with this text; undefined if it was never issued */
		find(value: string): FoundKey | undefined {
			const hash = hashKey(value);
			const key = saved.find((one) => one.hash === hash);
			if (!key) return undefined;
			return { ...toRecord(key), isRefused: Date.now() >= (key.refusedFrom ?? Infinity) };
		},
	};
}

function toRecord({ hash, refusedFrom, ...key }: SavedKey): KeyRecord {
	// The prefix alone decides which wallet is debited and which environment processes a request.
	return { ...key, environment: key.prefix.startsWith(prefixes.live) ? 'live' : 'sandbox' };
}

function hashKey(value: string) {
	return createHash('sha256').update(value).digest('hex');
}
