/** @typedef {import('./keys.mjs').Environment} Environment */

/**
 * The two credit wallets.
 * @param {Record<Environment, number>} saved whole credits to begin with, changed in place
 */
export function createWallets(saved) {
	return {
		saved,
		/** @returns {Record<Environment, {balance: number}>} */
		all() {
			return { sandbox: { balance: saved.sandbox }, live: { balance: saved.live } };
		},
		/**
		 * @param {Environment} environment
		 * @param {number} balance whole credits
		 */
		set(environment, balance) {
			saved[environment] = balance;
		},
		/**
		 * @param {Environment} environment
		 * @param {number} cost credits
		 */
		covers(environment, cost) {
			return saved[environment] >= cost;
		},
		/**
		 * Changes a balance by a debit, or by a negative debit (a refund).
		 * @param {Environment} environment
		 * @param {number} credits
		 */
		debit(environment, credits) {
			saved[environment] -= credits;
		},
	};
}
