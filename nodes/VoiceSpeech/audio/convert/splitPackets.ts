import { readAacConfig } from '../codecs';
import { ConversionError } from '../../errors/audioError';
import type { ForwardReader } from '../../streams/forwardReader';
import { prepareFlac } from './flacFile';
import { prepareM4a } from './m4aFile';
import { createPreRoll, maxPreRoll, prepareMp3 } from './mp3File';
import { countPlayedTicks, type CopiedTrack, type PlayedPart } from './track';

/** A part of a track between two cuts. */
export interface PacketRange {
	/** Its first packet. */
	first: number;
	/** The first packet after it. */
	end: number;
	/** Where it starts and ends in the track, in ticks. */
	startTick: number;
	endTick: number;
	/** Ticks that are played before it, and of it. */
	playedBefore: number;
	played: number;
}

function listPlayedParts({ playedParts, totalTicks }: CopiedTrack): PlayedPart[] {
	return playedParts ?? [{ skippedTicks: 0, playedTicks: totalTicks }];
}

/** @throws {ConversionError} if parts are played in another order than they are stored */
function checkOrder(parts: PlayedPart[]): void {
	let end = 0;
	for (const { skippedTicks, playedTicks } of parts) {
		if (skippedTicks < end) throw new ConversionError({ kind: 'edited' });
		end = skippedTicks + playedTicks;
	}
}

/** Where a track is after playing for some ticks. */
function toTrackTick(parts: PlayedPart[], played: number): number {
	let missing = played;
	for (const { skippedTicks, playedTicks } of parts) {
		if (missing < playedTicks) return skippedTicks + missing;
		missing -= playedTicks;
	}
	return Infinity;
}

/** How many ticks are played between two ticks of the track. */
function countPlayedBetween(parts: PlayedPart[], start: number, end: number): number {
	return parts.reduce((sum, { skippedTicks, playedTicks }) => {
		const played = Math.min(end, skippedTicks + playedTicks) - Math.max(start, skippedTicks);
		return sum + Math.max(0, played);
	}, 0);
}

/** Finds packets by their start. Each is after the one before. */
class PacketClock {
	packet = 0;
	tick = 0;
	private run = 0;
	/** Packets of the run that are passed. */
	private passed = 0;

	constructor(private readonly durations: CopiedTrack['durations']) {}

	/** Goes on to the last packet that starts at this tick, or before it. */
	advanceTo(target: number): void {
		for (;;) {
			if (this.run >= this.durations.length) return;
			const packetCount = this.durations[this.run]!;
			const ticks = this.durations[this.run + 1]!;
			const left = packetCount - this.passed;
			const count = ticks === 0 ? left : Math.floor((target - this.tick) / ticks);
			const moved = Math.min(left, count);
			this.packet += moved;
			this.tick += moved * ticks;
			this.passed += moved;
			if (this.passed < packetCount) return;
			this.run += 2;
			this.passed = 0;
		}
	}
}

/**
 * Cuts a track between packets. A part is shorter than the longest one by less than a packet.
 *
 * @param partSeconds longest part
 * @param tolerance by how much the last part may be longer, in seconds, because a shorter one would hardly have content
 * @throws {ConversionError} if the track is not played in its order
 */
export function cutPackets(
	track: CopiedTrack,
	partSeconds: number,
	tolerance: number,
): PacketRange[] {
	const parts = listPlayedParts(track);
	checkOrder(parts);
	const total = countPlayedTicks(track);
	const { timescale, durations, sizes, totalTicks } = track;
	const clock = new PacketClock(durations);
	const ranges: PacketRange[] = [];
	let first = 0;
	let startTick = 0;
	let playedBefore = 0;
	const addRange = (end: number, endTick: number) => {
		const played = countPlayedBetween(parts, startTick, endTick);
		ranges.push({ first, end, startTick, endTick, playedBefore, played });
		first = end;
		startTick = endTick;
		playedBefore += played;
	};
	while (total - playedBefore > (partSeconds + tolerance) * timescale) {
		clock.advanceTo(toTrackTick(parts, playedBefore + partSeconds * timescale));
		if (clock.packet <= first || clock.packet >= sizes.length) break;
		addRange(clock.packet, clock.tick);
	}
	addRange(sizes.length, Math.max(totalTicks, startTick));
	return ranges;
}

/** The durations of some packets. */
function sliceDurations(
	durations: CopiedTrack['durations'],
	start: number,
	end: number,
): CopiedTrack['durations'] {
	const slice: number[] = [];
	let position = 0;
	for (let run = 0; run < durations.length; run += 2) {
		const packetCount = durations[run]!;
		const count = Math.min(end, position + packetCount) - Math.max(start, position);
		if (count > 0) slice.push(count, durations[run + 1]!);
		position += packetCount;
		if (position >= end) break;
	}
	return Uint32Array.from(slice);
}

const sumTicks = (durations: CopiedTrack['durations']) =>
	durations.reduce(
		(sum, ticks, index) => (index % 2 === 0 ? sum : sum + durations[index - 1]! * ticks),
		0,
	);

/** Reads the packets of all parts, one part after the other. */
class PacketFeed {
	/** The last packets that were read. */
	recent: Buffer[] = [];

	constructor(
		private readonly packets: AsyncIterator<Buffer>,
		private readonly keptCount: number,
	) {}

	/** @throws {ConversionError} if there are fewer than `count` */
	async *read(count: number): AsyncGenerator<Buffer> {
		for (let index = 0; index < count; index++) {
			const next = await this.packets.next();
			if (next.done === true) throw new ConversionError({ kind: 'changed' });
			this.recent.push(next.value);
			if (this.recent.length > this.keptCount) this.recent.shift();
			yield next.value;
		}
	}
}

/**
 * How many packets before a part are needed. AAC overlaps with the packet before, HE-AAC with more. Packets of ALAC and
 * FLAC can be decoded by themselves.
 */
function countNeeded({ codec, config }: CopiedTrack): number {
	if (codec === 'mp3') return maxPreRoll;
	if (codec !== 'aac') return 0;
	return readAacConfig(config).isPlain ? 1 : 2;
}

/** Makes a track of a part, which begins with packets that a decoder needs, and that are not played. */
function createPartTrack(
	track: CopiedTrack,
	{ first, end, startTick, endTick }: PacketRange,
	feed: PacketFeed,
): CopiedTrack {
	const preRoll = track.codec === 'mp3' ? createPreRoll(feed.recent) : [...feed.recent];
	// In MP3, where not all of them are packets of the track, all packets last equally long.
	const start = first - preRoll.length;
	const durations = sliceDurations(track.durations, start, end);
	const preRollTicks = sumTicks(sliceDurations(track.durations, start, first));
	const sizes = track.sizes.slice(start, end);
	sizes.set(preRoll.map(({ length }) => length));
	const part: CopiedTrack = {
		...track,
		sizes,
		packetBytes: sizes.reduce((sum, size) => sum + size, 0),
		durations,
		totalTicks: sumTicks(durations),
		async *readPackets() {
			yield* preRoll;
			yield* feed.read(end - first);
		},
	};
	if (track.playedParts === undefined && preRoll.length === 0) return part;
	const shift = preRollTicks - startTick;
	part.playedParts = listPlayedParts(track).flatMap(({ skippedTicks, playedTicks }) => {
		const from = Math.max(skippedTicks, startTick);
		const played = Math.min(skippedTicks + playedTicks, endTick) - from;
		return played > 0 ? [{ skippedTicks: from + shift, playedTicks: played }] : [];
	});
	return part;
}

const prepareFile = { aac: prepareM4a, alac: prepareM4a, mp3: prepareMp3, flac: prepareFlac };

/** Reads the files of all parts. Each must be read to its end before the next one. */
export async function* readPacketParts(
	track: CopiedTrack,
	ranges: PacketRange[],
	reader: ForwardReader,
): AsyncGenerator<AsyncGenerator<Uint8Array>> {
	const feed = new PacketFeed(
		track.readPackets(reader)[Symbol.asyncIterator](),
		countNeeded(track),
	);
	for (const range of ranges) {
		yield prepareFile[track.codec](createPartTrack(track, range, feed)).chunks(reader);
	}
}
