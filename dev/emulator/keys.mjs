import { createHash, randomBytes, randomUUID } from 'node:crypto';

const PREFIXES = { sandbox: 'eak_test_', live: 'eak_live_' };

/** The product of this service: keys of other products are refused. */
export const PRODUCT = 'voice-and-speech';

/**
 * @typedef {'sandbox' | 'live'} Environment
 * @typedef {object} WantedKey
 * @property {Environment} environment
 * @property {string[]} scopes
 * @property {string} [product]
 * @property {string} [name]
 *
 * @typedef {object} KeyRecord
 * @property {string} id
 * @property {string} name label, may be empty
 * @property {string} prefix the part of the key that may be shown, like `eak_test_abcd…`
 * @property {Environment} environment
 * @property {string[]} scopes
 * @property {string} product
 * @property {string} createdAt ISO 8601
 * @property {string | null} revokedAt ISO 8601
 *
 * @typedef {Omit<KeyRecord, 'environment'> & {hash: string, refusedFrom: number | null}} SavedKey
 *   `hash`: SHA-256 of the key; `refusedFrom`: ms since 1970
 */

/**
 * Creates, lists, revokes and finds API keys. Only the hash of a key is kept.
 * @param {SavedKey[]} saved the keys to begin with, changed in place
 */
export function createKeys(saved) {
	return {
		/**
		 * @param {WantedKey} wanted
		 * @returns {KeyRecord & {key: string}} `key` cannot be read again
		 */
		create({ environment, scopes, product = PRODUCT, name = '' }) {
			const random = randomBytes(16).toString('hex');
			const key = PREFIXES[environment] + random;
			const created = {
				id: randomUUID(),
				name,
				prefix: `${PREFIXES[environment]}${random.slice(0, 4)}…`,
				scopes: [...new Set(scopes)],
				product,
				createdAt: new Date().toISOString(),
				revokedAt: null,
				hash: hashOf(key),
				refusedFrom: null,
			};
			saved.push(created);
			return { ...publicPart(created), key };
		},

		/** @returns {KeyRecord[]} oldest first */
		list() {
			return saved.map(publicPart);
		},

		/**
		 * Revokes a key; revoking it again changes nothing.
		 * @param {string} id
		 * @param {number} delayMs time until the key is refused
		 * @returns {KeyRecord | undefined} undefined if there is no such key
		 */
		revoke(id, delayMs) {
			const key = saved.find((one) => one.id === id);
			if (!key) return undefined;
			key.revokedAt ??= new Date().toISOString();
			key.refusedFrom ??= Date.now() + delayMs;
			return publicPart(key);
		},

		/**
		 * @param {string} value
		 * @returns {{key: KeyRecord, refused: boolean} | undefined} undefined if it was never issued
		 */
		find(value) {
			const hash = hashOf(value);
			const key = saved.find((one) => one.hash === hash);
			return key && { key: publicPart(key), refused: Date.now() >= (key.refusedFrom ?? Infinity) };
		},
	};
}

/**
 * @param {SavedKey} saved
 * @returns {KeyRecord}
 */
function publicPart({ hash, refusedFrom, ...key }) {
	// The prefix alone decides which wallet is debited and which environment processes a request.
	return { ...key, environment: key.prefix.startsWith(PREFIXES.live) ? 'live' : 'sandbox' };
}

/** @param {string} value */
function hashOf(value) {
	return createHash('sha256').update(value).digest('hex');
}
