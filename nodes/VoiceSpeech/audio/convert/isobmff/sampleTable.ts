import { createDamagedError } from '../../../errors/audioError';
import { findBox } from '../../isobmff/boxes';
import { packetsPerYield, type PacketIndex } from './packetIndex';

// Names, layouts and section numbers are those of ISO/IEC 14496-12. A packet is called a sample there.

/** The entries of a table whose number is in front of them. */
class Table {
	readonly count: number;
	private readonly bytes: Buffer;

	/**
	 * @param columns 32-bit numbers in each entry
	 * @param start offset of the number of entries in bytes
	 * @throws {ConversionError} if the box is missing or shorter than its entries
	 */
	constructor(
		box: Buffer | undefined,
		private readonly columns: number,
		start = 4,
	) {
		if (box === undefined || box.length < start + 4) throw createDamagedError();
		this.count = box.readUInt32BE(start);
		this.bytes = box.subarray(start + 4);
		if (this.bytes.length < this.count * 4 * columns) throw createDamagedError();
	}

	get(entry: number, column = 0): number {
		return this.bytes.readUInt32BE(4 * (entry * this.columns + column));
	}
}

/**
 * Finds the size of each packet in `stsz` (8.7.3.2) or `stz2` (8.7.3.3).
 *
 * @throws {ConversionError} if the table is missing or damaged
 */
function readSizes(tables: Buffer): { count: number; getSize: (packet: number) => number } {
	const compact = findBox(tables, 'stz2');
	const box = findBox(tables, 'stsz') ?? compact;
	if (box === undefined || box.length < 12) throw createDamagedError();
	const count = box.readUInt32BE(8);
	if (box !== compact) {
		const size = box.readUInt32BE(4);
		if (size !== 0) return { count, getSize: () => size };
		const table = new Table(box, 1, 8);
		return { count, getSize: (packet) => table.get(packet) };
	}
	const bits = box[7]!;
	if (box.length < 12 + Math.ceil((count * bits) / 8)) throw createDamagedError();
	if (bits === 16) return { count, getSize: (packet) => box.readUInt16BE(12 + 2 * packet) };
	if (bits === 8) return { count, getSize: (packet) => box[12 + packet]! };
	if (bits !== 4) throw createDamagedError();
	return {
		count,
		getSize: (packet) => (box[12 + (packet >> 1)]! >> (packet & 1 ? 0 : 4)) & 15,
	};
}

/**
 * Finds where each chunk of packets starts, in `stco` or `co64` (8.7.5).
 *
 * @throws {ConversionError} if the table is missing or damaged
 */
function readChunkOffsets(tables: Buffer): { count: number; getOffset: (chunk: number) => number } {
	const box = findBox(tables, 'stco');
	if (box !== undefined) {
		const table = new Table(box, 1);
		return { count: table.count, getOffset: (chunk) => table.get(chunk) };
	}
	const table = new Table(findBox(tables, 'co64'), 2);
	return {
		count: table.count,
		getOffset: (chunk) => table.get(chunk, 0) * 2 ** 32 + table.get(chunk, 1),
	};
}

/** Yields each entry as often as the table specifies, and repeats the last one after that. */
class RunLengthTable {
	private entry = -1;
	private left = 0;

	/**
	 * @param getLength for how many calls of `nextEntry` an entry is used
	 * @throws {ConversionError} if the table has no entries
	 */
	constructor(
		private readonly table: Table,
		private readonly getLength: (entry: number) => number,
	) {
		if (table.count === 0) throw createDamagedError();
	}

	/** Index of the entry for the next packet or chunk. */
	nextEntry(): number {
		while (this.left === 0 && this.entry + 1 < this.table.count) {
			this.entry++;
			this.left = this.getLength(this.entry);
		}
		if (this.left > 0) this.left--;
		return this.entry;
	}
}

/**
 * Adds the packets that `stbl` (8.5.1) describes, up to a number of them.
 *
 * @throws {ConversionError} if the tables are damaged, or the packets are not stored in playing order
 */
export async function addSampleTable(
	packetIndex: PacketIndex,
	tables: Buffer,
	yieldToEventLoop: () => Promise<void>,
	maxCount: number,
): Promise<void> {
	const sizes = readSizes(tables);
	const { getSize } = sizes;
	const count = Math.min(sizes.count, maxCount);
	// The tables in `moov` are empty if all packets are in fragments.
	if (count === 0) return;
	const chunks = readChunkOffsets(tables);
	// 8.6.1.2: how many packets have a duration, and the duration.
	const times = new Table(findBox(tables, 'stts'), 2);
	const durationEntries = new RunLengthTable(times, (entry) => times.get(entry, 0));
	// 8.7.4: the first chunk that has this number of packets, and the number.
	const perChunk = new Table(findBox(tables, 'stsc'), 3);
	const chunkEntries = new RunLengthTable(perChunk, (entry) => {
		if (entry + 1 === perChunk.count) return Infinity;
		return Math.max(0, perChunk.get(entry + 1) - perChunk.get(entry));
	});
	let packet = 0;
	for (let chunk = 0; chunk < chunks.count; chunk++) {
		if (packet === count) return;
		if (chunk % packetsPerYield === 0) await yieldToEventLoop();
		let offset = chunks.getOffset(chunk);
		const inChunk = perChunk.get(chunkEntries.nextEntry(), 1);
		const end = Math.min(count, packet + inChunk);
		while (packet < end) {
			if (packet % packetsPerYield === 0) await yieldToEventLoop();
			const size = getSize(packet);
			packetIndex.add(offset, size, times.get(durationEntries.nextEntry(), 1));
			offset += size;
			packet++;
		}
	}
}
