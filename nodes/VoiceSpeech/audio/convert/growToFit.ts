/**
 * Makes room for one more number in a typed array, whose capacity doubles.
 *
 * @param index of the number that is written next; at most the length of the array
 * @returns the array itself, or a larger one with the same numbers if `index` does not fit
 */
export function growToFit<T extends Uint32Array | Float64Array>(array: T, index: number): T {
	if (index < array.length) return array;
	const Type = array.constructor as new (length: number) => T;
	const larger = new Type(2 * array.length);
	larger.set(array);
	return larger;
}
