/** @returns NaN without values; of an even number of values, the higher one in the middle */
export function computeMedian(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
