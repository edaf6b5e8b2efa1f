import { createDamagedError } from '../../../errors/audioError';
import { listBoxes, findBox, NumberReader } from '../../isobmff/boxes';
import { packetsPerYield, type PacketIndex } from './packetIndex';

// Names, layouts and section numbers are those of ISO/IEC 14496-12. A packet is called a sample there.

/** Duration in ticks and size in bytes of packets, where a run does not specify them. */
interface PacketDefaults {
	ticks: number;
	size: number;
}

/**
 * Reads the defaults for each track by its ID, in `trex` boxes (8.8.3) in the content of `mvex`.
 *
 * @throws {ConversionError} if it contains too many boxes
 */
export function readDefaults(fragmentDefaults: Buffer): Map<number, PacketDefaults> {
	const defaults = new Map<number, PacketDefaults>();
	for (const { name, content } of listBoxes(fragmentDefaults)) {
		if (name !== 'trex' || content.length < 20) continue;
		const numbers = new NumberReader(content, 4);
		const trackId = numbers.next();
		numbers.skip(4);
		defaults.set(trackId, { ticks: numbers.next(), size: numbers.next() });
	}
	return defaults;
}

/** Flags of `tfhd` (8.8.7). Most of them specify which fields the box has. */
const headerFlags = {
	baseOffset: 1,
	description: 2,
	duration: 8,
	size: 0x10,
	/** Offsets start at the fragment. */
	isBaseFragment: 0x20000,
};

/** A `tfhd` box (8.8.7), the start of `traf`. */
interface FragmentHeader extends PacketDefaults {
	trackId: number;
	/** Offset in the file, in bytes, that those of the runs start from; undefined if it is the end of the track before it. */
	base: number | undefined;
}

/** @throws {ConversionError} if the box is missing or cut off */
function readHeader(
	box: Buffer | undefined,
	movieFragmentStart: number,
	defaults: Map<number, PacketDefaults>,
): FragmentHeader {
	if (box === undefined) throw createDamagedError();
	const numbers = new NumberReader(box);
	const flags = numbers.next();
	const trackId = numbers.next();
	let { ticks, size } = defaults.get(trackId) ?? { ticks: 0, size: 0 };
	let base: number | undefined;
	if (flags & headerFlags.isBaseFragment) base = movieFragmentStart;
	if (flags & headerFlags.baseOffset) base = numbers.nextLong();
	if (flags & headerFlags.description) numbers.skip(4);
	if (flags & headerFlags.duration) ticks = numbers.next();
	if (flags & headerFlags.size) size = numbers.next();
	return { trackId, base, ticks, size };
}

/** Flags of `trun` (8.8.8). They specify which fields the box has, and which fields each of its packets has. */
const runFlags = {
	dataOffset: 1,
	firstPacketFlags: 4,
	packetDuration: 0x100,
	packetSize: 0x200,
	packetFlags: 0x400,
	compositionOffset: 0x800,
};

/** A `trun` box (8.8.8), which describes packets in a row. */
class TrackRun {
	readonly count: number;
	/** Offset of its packets from the base in bytes; undefined if they start where the run before ends. */
	readonly dataOffset: number | undefined;
	private readonly flags: number;
	private readonly numbers: NumberReader;

	/** @throws {ConversionError} if the box is cut off */
	constructor(
		box: Buffer,
		private readonly defaults: PacketDefaults,
	) {
		this.numbers = new NumberReader(box);
		this.flags = this.numbers.next();
		this.count = this.numbers.next();
		if (this.flags & runFlags.dataOffset) this.dataOffset = this.numbers.next() | 0;
		if (this.flags & runFlags.firstPacketFlags) this.numbers.skip(4);
	}

	/** Whether all packets have the default size, so that their number may be larger than the box. */
	get isUniform(): boolean {
		return (this.flags & runFlags.packetSize) === 0;
	}

	/** @throws {ConversionError} if the box is cut off */
	next(): PacketDefaults {
		const ticks = this.flags & runFlags.packetDuration ? this.numbers.next() : this.defaults.ticks;
		const size = this.flags & runFlags.packetSize ? this.numbers.next() : this.defaults.size;
		if (this.flags & runFlags.packetFlags) this.numbers.skip(4);
		if (this.flags & runFlags.compositionOffset) this.numbers.skip(4);
		return { ticks, size };
	}
}

/** Maximum number of runs in a track of a fragment. A long fragment may contain thousands. */
const maxRuns = 100_000;

/** Adds the packets of one track that a `moof` box (8.8.4) describes. */
export class FragmentReader {
	/** Number of packets of all fragments that were read so far. */
	private packetCount = 0;

	constructor(
		private readonly packetIndex: PacketIndex,
		private readonly trackId: number,
		private readonly defaults: Map<number, PacketDefaults>,
		private readonly yieldToEventLoop: () => Promise<void>,
	) {}

	/**
	 * @param start offset of the box in the file
	 * @throws {ConversionError} if the box is damaged, or {@link PacketIndex.add} rejects a packet
	 */
	async add(movieFragment: Buffer, start: number): Promise<void> {
		let end = start;
		for (const { name, content } of listBoxes(movieFragment)) {
			if (name === 'traf') end = await this.addTrack(content, start, end);
		}
	}

	/**
	 * @param previousEnd offset after the packets of the track before it
	 * @returns the offset after its own packets
	 */
	private async addTrack(content: Buffer, start: number, previousEnd: number): Promise<number> {
		const header = readHeader(findBox(content, 'tfhd'), start, this.defaults);
		const base = header.base ?? previousEnd;
		let offset = base;
		for (const { name, content: box } of listBoxes(content, maxRuns)) {
			if (name !== 'trun') continue;
			const run = new TrackRun(box, header);
			if (run.dataOffset !== undefined) offset = base + run.dataOffset;
			offset = await this.addRun(run, offset, header);
		}
		return offset;
	}

	private async addRun(run: TrackRun, start: number, header: FragmentHeader): Promise<number> {
		const isOther = header.trackId !== this.trackId;
		if (isOther && run.isUniform) return start + run.count * header.size;
		let offset = start;
		for (let count = 0; count < run.count; count++) {
			this.packetCount++;
			if (this.packetCount % packetsPerYield === 0) await this.yieldToEventLoop();
			const { ticks, size } = run.next();
			if (!isOther) this.packetIndex.add(offset, size, ticks);
			offset += size;
		}
		return offset;
	}
}
