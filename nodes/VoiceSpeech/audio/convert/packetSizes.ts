import { createDamagedError } from '../conversionError';

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

/** Largest number of packets: more than a day of AAC or of usual Opus, but only 3.5 hours of Opus in packets of 2.5 ms. */
const maxPackets = 5_000_000;

/** The length of each packet of a track in bytes. */
export class PacketSizes {
	count = 0;
	private sizes = new Uint32Array(1024);

	/** @throws {ConversionError} for more than {@link maxPackets} */
	add(size: number): void {
		if (this.count === maxPackets) throw createDamagedError();
		this.sizes = growToFit(this.sizes, this.count);
		this.sizes[this.count] = size;
		this.count++;
	}

	get(index: number): number {
		return this.sizes[index]!;
	}

	/**
	 * Removes the last one.
	 *
	 * @returns its length in bytes
	 */
	removeLast(): number {
		this.count--;
		return this.sizes[this.count]!;
	}

	copy(start = 0, end = this.count): Uint32Array {
		return this.sizes.slice(start, end);
	}
}
