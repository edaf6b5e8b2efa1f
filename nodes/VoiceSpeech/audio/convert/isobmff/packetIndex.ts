import { ConversionError, createDamagedError } from '../../../errors/audioError';
import { maxDurations } from '../../../limits';
import { growToFit, PacketSizes } from '../track';
import type { ForwardReader } from '../../../streams/forwardReader';

/** Longest packet in bytes. One of ALAC may contain some 16,000 samples of eight channels. */
const maxStoredPacketBytes = 4 * 1024 * 1024;

/** Longest duration of a packet in ticks. A larger value is a negative number that was written as unsigned. */
const maxPacketTicks = 0x7fffffff;

/** Maximum number of bytes to read at a time, unless a packet is longer. */
const maxReadBytes = 64 * 1024;

/** Maximum number of packets to read at a time. Between two reads, the process can do other work. */
const maxPacketsPerRead = 100;

/** Number of packets to add between two yields to the event loop. Adding one takes less than a microsecond. */
export const packetsPerYield = 4096;

/** The sizes, durations and offsets of the packets of one track. */
export class PacketIndex {
	/** Offset after the last packet in bytes. */
	end = 0;

	/** Duration of all packets. */
	totalTicks = 0;

	readonly sizes = new PacketSizes();

	/** Offset in bytes of each run of packets that are stored without gaps. */
	private offsets = new Float64Array(64);

	/** How many packets each of these runs has. */
	private counts = new Uint32Array(64);

	private runs = 0;

	/** The number of packets and their duration, of each run of packets that last equally long. */
	private durationPairs = new Uint32Array(64);

	/** How many numbers these runs have. */
	private durationLength = 0;

	get count(): number {
		return this.sizes.count;
	}

	/** Runs of packets that last equally long, as a `CopiedTrack` has them. They are not copied. */
	get durations(): Uint32Array {
		return this.durationPairs.subarray(0, this.durationLength);
	}

	/**
	 * @throws {ConversionError} if the packet is too long, if there are too many packets or durations, or if it is stored
	 * before one that is played earlier
	 */
	add(offset: number, size: number, ticks: number): void {
		if (size > maxStoredPacketBytes) throw createDamagedError();
		if (offset < this.end) throw new ConversionError({ kind: 'order' });
		this.sizes.add(size);
		this.addToRun(offset);
		// Programs write a negative duration to correct earlier ones. Nothing is played backward, so one tick is counted.
		this.addDuration(ticks > maxPacketTicks ? 1 : ticks);
		this.end = offset + size;
	}

	/** Removes the packets that are not entirely in a file with this length. */
	async cutAt(fileLength: number, yieldToEventLoop: () => Promise<void>): Promise<void> {
		while (this.count > 0 && this.end > fileLength) {
			if (this.count % packetsPerYield === 0) await yieldToEventLoop();
			const size = this.sizes.removeLast();
			this.end -= size;
			this.removeFromRun();
			this.removeDuration();
		}
	}

	/**
	 * Reads all packets, skipping what is between them.
	 *
	 * @throws {ConversionError} if the recording is shorter than in the first reading
	 */
	async *readPackets(reader: ForwardReader): AsyncGenerator<Buffer> {
		let first = 0;
		for (let run = 0; run < this.runs; run++) {
			await reader.skip(this.offsets[run]! - reader.position);
			const end = first + this.counts[run]!;
			while (first < end) {
				const next = this.computeRangeEnd(first, end);
				yield* await this.readRange(reader, first, next);
				first = next;
			}
		}
	}

	private addToRun(offset: number): void {
		if (this.runs > 0 && offset === this.end) {
			this.counts[this.runs - 1]!++;
			return;
		}
		this.offsets = growToFit(this.offsets, this.runs);
		this.counts = growToFit(this.counts, this.runs);
		this.offsets[this.runs] = offset;
		this.counts[this.runs] = 1;
		this.runs++;
	}

	private removeFromRun(): void {
		this.counts[this.runs - 1]!--;
		if (this.counts[this.runs - 1] !== 0) return;
		this.runs--;
		this.end = this.computeLastRunEnd();
	}

	private computeLastRunEnd(): number {
		if (this.runs === 0) return 0;
		let end = this.offsets[this.runs - 1]!;
		const first = this.count - this.counts[this.runs - 1]!;
		for (let index = first; index < this.count; index++) end += this.sizes.get(index);
		return end;
	}

	/** @throws {ConversionError} if there are too many durations */
	private addDuration(ticks: number): void {
		this.totalTicks += ticks;
		const end = this.durationLength;
		if (end > 0 && this.durationPairs[end - 1] === ticks) {
			this.durationPairs[end - 2]!++;
			return;
		}
		if (end === 2 * maxDurations) throw new ConversionError({ kind: 'tooManyPackets' });
		this.durationPairs = growToFit(this.durationPairs, end + 1);
		this.durationPairs[end] = 1;
		this.durationPairs[end + 1] = ticks;
		this.durationLength += 2;
	}

	private removeDuration(): void {
		const end = this.durationLength;
		this.totalTicks -= this.durationPairs[end - 1]!;
		this.durationPairs[end - 2]!--;
		if (this.durationPairs[end - 2] === 0) this.durationLength -= 2;
	}

	/** @returns the number of the packet after those that are read together */
	private computeRangeEnd(first: number, end: number): number {
		let length = this.sizes.get(first);
		let next = first + 1;
		while (next < end && next < first + maxPacketsPerRead) {
			length += this.sizes.get(next);
			if (length > maxReadBytes) break;
			next++;
		}
		return next;
	}

	/** @throws {ConversionError} if the recording is shorter than in the first reading */
	private async readRange(reader: ForwardReader, first: number, next: number): Promise<Buffer[]> {
		const sizes = this.sizes.list(first, next);
		const length = sizes.reduce((sum, size) => sum + size, 0);
		const bytes = await reader.read(length);
		if (bytes.length < length) throw new ConversionError({ kind: 'changed' });
		const packets: Buffer[] = [];
		let offset = 0;
		for (const size of sizes) {
			packets.push(bytes.subarray(offset, offset + size));
			offset += size;
		}
		return packets;
	}
}
