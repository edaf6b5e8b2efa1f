import { createHash, randomInt, randomUUID } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const RANDOM_CHARACTERS = 32;
const SHOWN_CHARACTERS = 4;

/** The product this service is; a key of any other product is refused. */
export const PRODUCT = 'voice-and-speech';

/** @typedef {'sandbox' | 'live'} Environment */

/**
 * @typedef {object} KeyRecord
 * @property {string} id
 * @property {string} name label given by the person who made it, may be empty
 * @property {string} prefix the key as it may be shown, like `eak_test_abcd…`
 * @property {Environment} environment
 * @property {string[]} scopes
 * @property {string} product
 * @property {string} createdAt ISO 8601
 * @property {string | null} revokedAt when it was revoked in the console, ISO 8601
 */

/**
 * Issues, lists, revokes and recognises API keys. A key's value is known to the one who created it
 * and to nobody after: only its SHA-256 is kept, in memory.
 * Source: interface document, "API key" and "Authentication"; the number of random characters is
 * the emulator's own choice.
 */
export function createKeys() {
	/** @type {Map<string, KeyRecord & {deadFrom: number}>} by the hash of the value */
	const byHash = new Map();

	return {
		/**
		 * @param {{environment: Environment, scopes: string[], product?: string, name?: string}} wanted
		 * @returns {KeyRecord & {key: string}} `key` is the value, given this once
		 */
		create({ environment, scopes, product = PRODUCT, name = '' }) {
			const start = environment === 'sandbox' ? 'eak_test_' : 'eak_live_';
			const random = Array.from(
				{ length: RANDOM_CHARACTERS },
				() => ALPHABET[randomInt(ALPHABET.length)],
			).join('');
			const record = {
				id: randomUUID(),
				name,
				prefix: `${start}${random.slice(0, SHOWN_CHARACTERS)}…`,
				environment,
				scopes: [...new Set(scopes)],
				product,
				createdAt: new Date().toISOString(),
				revokedAt: null,
			};
			byHash.set(hash(start + random), { ...record, deadFrom: Infinity });
			return { ...record, key: start + random };
		},

		/** @returns {KeyRecord[]} the newest last, without any value */
		list() {
			return [...byHash.values()].map(publicPart);
		},

		/**
		 * Revokes a key; revoking it again changes nothing.
		 * @param {string} id
		 * @param {number} delayMs milliseconds until it is refused
		 * @returns {KeyRecord | undefined} undefined where there is no such key
		 */
		revoke(id, delayMs) {
			const record = [...byHash.values()].find((one) => one.id === id);
			if (record && record.revokedAt === null) {
				record.revokedAt = new Date().toISOString();
				record.deadFrom = Date.now() + delayMs;
			}
			return record && publicPart(record);
		},

		/**
		 * Recognises a key by its value.
		 * @param {string} value
		 * @returns {KeyRecord | undefined} undefined where it was never issued or is revoked
		 */
		find(value) {
			const record = byHash.get(hash(value));
			return record && Date.now() < record.deadFrom ? publicPart(record) : undefined;
		},
	};
}

/** @param {KeyRecord & {deadFrom: number}} record @returns {KeyRecord} */
function publicPart({ deadFrom, ...record }) {
	return record;
}

/** @param {string} value */
function hash(value) {
	return createHash('sha256').update(value).digest('hex');
}
