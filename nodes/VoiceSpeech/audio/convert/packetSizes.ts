import { createDamagedError } from '../conversionError';
import { growToFit } from './growToFit';

/** Packets that are counted. They are AAC of more than a day. */
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

	/** Removes the last one. @returns its length in bytes */
	removeLast(): number {
		this.count--;
		return this.sizes[this.count]!;
	}

	copy(start = 0, end = this.count): Uint32Array {
		return this.sizes.slice(start, end);
	}
}
