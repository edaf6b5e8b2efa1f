/** @returns NaN without values; of an even number of values, the mean of the two in the middle */
export function computeMedian(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? NaN;
	const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN;
	return (lower + upper) / 2;
}
