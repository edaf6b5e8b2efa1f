/** Counts the calls of each key in the last second. */
export function createRateLimit() {
	/** Times of the admitted calls in ms, by the key's id. */
	const recent: Map<string, number[]> = new Map();
	return {
		/**
		 * @param limit calls per second; 0 for no limit
		 * @returns whether the call may go on; only then is it counted
		 */
		admits(keyId: string, limit: number): boolean {
			if (limit === 0) return true;
			const now = performance.now();
			const times = (recent.get(keyId) ?? []).filter((time) => now - time < 1000);
			const admitted = times.length < limit;
			if (admitted) times.push(now);
			recent.set(keyId, times);
			return admitted;
		},
	};
}
