const MOST_KEPT = 10_000;

/**
 * @typedef {object} Call one line of the usage dashboard
 * @property {number} id grows by one from call to call
 * @property {string} at when it came, ISO 8601
 * @property {string} operation name of the operation, or empty where the path is of none
 * @property {string} path
 * @property {import('./keys.mjs').Environment} environment
 * @property {boolean} testData true for every sandbox call
 * @property {number} credits what was debited; 0 for a refused call
 * @property {number} status HTTP status of the answer; 499 where the client left before it
 * @property {string} keyPrefix like `eak_test_abcd…`
 * @property {number} bytesIn bytes of the body that were read
 * @property {string} [voiceId] the voice that was used or made
 */

/**
 * The usage dashboard's data: the newest calls that came with a key, in memory.
 * Source: interface document, rules 1 to 3 of "What the service does".
 */
export function createUsage() {
	/** @type {Call[]} */
	const calls = [];
	let lastId = 0;
	return {
		/** @param {Omit<Call, 'id'>} call @returns {Call} the line as kept: change it in place */
		add(call) {
			const kept = { id: ++lastId, ...call };
			calls.push(kept);
			if (calls.length > MOST_KEPT) calls.shift();
			return kept;
		},
		/** @param {number} id @returns {Call[]} the calls after that one, the oldest first */
		after(id) {
			return calls.filter((call) => call.id > id);
		},
	};
}
