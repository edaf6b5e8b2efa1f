/** @typedef {import('./keys.mjs').Environment} Environment */

/**
 * The two credit wallets. Source: interface document, "Credit wallet"; whole credits are the
 * emulator's own choice.
 * @param {{sandbox: number, live: number}} balances whole credits to begin with
 */
export function createWallets(balances) {
	const credits = { ...balances };
	return {
		/** @returns {{sandbox: {balance: number}, live: {balance: number}}} */
		all() {
			return { sandbox: { balance: credits.sandbox }, live: { balance: credits.live } };
		},
		/**
		 * @param {Environment} environment
		 * @param {number} balance whole credits
		 */
		set(environment, balance) {
			credits[environment] = balance;
		},
		/**
		 * @param {Environment} environment
		 * @param {number} cost credits
		 * @returns {boolean} whether the wallet could pay that now
		 */
		covers(environment, cost) {
			return credits[environment] >= cost;
		},
		/**
		 * Takes the credits or, where there are too few, nothing.
		 * @param {Environment} environment
		 * @param {number} cost credits
		 * @returns {boolean} whether they were taken
		 */
		debit(environment, cost) {
			if (credits[environment] < cost) return false;
			credits[environment] -= cost;
			return true;
		},
		/**
		 * Gives credits back for a call that failed by the emulator's own fault.
		 * @param {Environment} environment
		 * @param {number} cost credits
		 */
		refund(environment, cost) {
			credits[environment] += cost;
		},
	};
}
