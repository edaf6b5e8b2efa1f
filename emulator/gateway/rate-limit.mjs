/**
 * Counts the calls of each key in the last second. The limit itself is the emulator's own choice:
 * the interface document shows none.
 */
export function createRateLimit() {
	/** @type {Map<string, number[]>} times of the calls let through, by the key's id */
	const recent = new Map();
	return {
		/**
		 * @param {string} keyId
		 * @param {number} mostPerSecond calls; 0 for no limit
		 * @returns {boolean} whether this call may go on; only then is it counted
		 */
		admits(keyId, mostPerSecond) {
			if (mostPerSecond === 0) return true;
			const now = performance.now();
			const times = (recent.get(keyId) ?? []).filter((time) => now - time < 1000);
			const admitted = times.length < mostPerSecond;
			if (admitted) times.push(now);
			recent.set(keyId, times);
			return admitted;
		},
	};
}
