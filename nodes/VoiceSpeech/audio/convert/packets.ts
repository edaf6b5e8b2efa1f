import { ConversionError } from '../../errors/audioError';
import { maxPackets } from '../../limits';
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

/** How much is passed on at a time, in bytes. */
export const chunkBytes = 64 * 1024;

/** Joins packets to chunks of {@link chunkBytes} or more, because each chunk has a cost of its own. */
export async function* joinPackets(packets: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
	let parts: Uint8Array[] = [];
	let length = 0;
	for await (const packet of packets) {
		parts.push(packet);
		length += packet.length;
		if (length < chunkBytes) continue;
		yield Buffer.concat(parts);
		parts = [];
		length = 0;
	}
	if (length > 0) yield Buffer.concat(parts);
}
