import { maxPackets } from '../../limits';
import { ConversionError } from '../conversionError';
import type { CopiedTrack } from './track';

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

/** The length of each packet of a track in bytes. */
export class PacketSizes {
	count = 0;
	totalBytes = 0;
	private largest = 0;
	private sizes = new Uint32Array(1024);

	/** @throws {ConversionError} for more than {@link maxPackets} */
	add(size: number): void {
		if (this.count === maxPackets) throw new ConversionError({ kind: 'tooManyPackets' });
		this.sizes = growToFit(this.sizes, this.count);
		this.sizes[this.count] = size;
		this.count++;
		this.totalBytes += size;
		if (size > this.largest) this.largest = size;
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
		const size = this.sizes[this.count]!;
		this.totalBytes -= size;
		return size;
	}

	/** The lengths of some packets. They are not copied. */
	list(start: number, end: number): Uint32Array {
		return this.sizes.subarray(start, end);
	}

	/** What a track says of the lengths of all packets. */
	describe(): Pick<CopiedTrack, 'sizes' | 'packetBytes' | 'largestPacket'> {
		return {
			sizes: this.list(0, this.count),
			packetBytes: this.totalBytes,
			largestPacket: this.largest,
		};
	}
}
