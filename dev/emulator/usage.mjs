const MAX_CALLS = 10_000;

/**
 * @typedef {object} CallRecord one line of the usage dashboard
 * @property {number} id grows by one from call to call
 * @property {string} at time of the request, ISO 8601
 * @property {string} method HTTP method; only POST is a call
 * @property {string} operation empty if the path is not an endpoint
 * @property {string} path
 * @property {import('./keys.mjs').Environment} environment
 * @property {boolean} testData true for every sandbox call
 * @property {number} credits credits debited; 0 for a refused call
 * @property {number} status HTTP status; 499 if the client left before the response
 * @property {string} keyPrefix like `eak_test_abcd…`
 * @property {number} bytesIn bytes of the body that were read
 * @property {string} [voiceId] the voice that was used or cloned
 */

/** The usage dashboard: the newest calls that came with a key that was issued, in memory. */
export function createUsage() {
	/** @type {CallRecord[]} */
	const calls = [];
	let lastId = 0;
	return {
		/** @param {Omit<CallRecord, 'id'>} call @returns {CallRecord} */
		add(call) {
			const record = { id: ++lastId, ...call };
			calls.push(record);
			if (calls.length > MAX_CALLS) calls.shift();
			return record;
		},
		/** @param {number} id @returns {CallRecord[]} the calls after that one, oldest first */
		after(id) {
			return calls.filter((call) => call.id > id);
		},
	};
}
