import { readAacConfig, readAlacConfig } from '../../codecs';
import { createDamagedError } from '../../conversionError';
import type { ForwardReader } from '../forwardReader';
import { countSamples, opusRate, readOpusHead } from '../opusPackets';
import { PacketSizes } from '../packetSizes';
import type { AudioTrack, CopiedTrack, OpusTrack } from '../track';
import {
	maxHeaderBytes,
	decodeElementHeader,
	readVint,
	decodeUnsigned,
	type ElementHeader,
} from './ebml';
import { splitBlock } from './lacing';
import { chooseTrack, isAac, isOpus, readEntry, type TrackEntry } from './trackEntry';

// Elements of EBML (RFC 8794) and Matroska (RFC 9559), by their IDs with the marker.
const segmentElement = 0x18538067;
const tracksElement = 0x1654ae6b;
const trackEntryElement = 0xae;
const clusterElement = 0x1f43b675;
const clusterSignature = Buffer.from('1f43b675', 'hex');
const blockGroupElement = 0xa0;
const blockElement = 0xa1;
const simpleBlockElement = 0xa3;
const discardPaddingElement = 0x75a2;

/** Elements whose children are read as if they were at the top level. Their size is not needed, and is often unknown. */
const enteredElements = [segmentElement, tracksElement, clusterElement];

/** Elements that are returned; all others are skipped. */
const returnedElements = [
	trackEntryElement,
	blockGroupElement,
	blockElement,
	simpleBlockElement,
	discardPaddingElement,
];

/** Number of tracks that are considered. Videos have up to a few dozen, with those of subtitles. */
const maxTracks = 100;

/** Longest description of a track in bytes. Fonts and pictures are not part of it. */
const maxEntryBytes = 1024 * 1024;

/** How many bytes of an element are searched for the next cluster. Clusters of browsers have a few seconds. */
const maxSearchedBytes = 4 * 1024 * 1024;

/** Longest block of audio in bytes, which would be seconds of uncompressed audio. */
const maxBlockBytes = 4 * 1024 * 1024;

/** An element whose content comes next. */
interface Element {
	id: number;
	contentLength: number;
}

/** The packets of a block; none if only `discardedNs` has changed. */
interface Block {
	packets: Buffer[];
	/** How much of the end of the last packet so far is not played. */
	discardedNs: number;
}

/** Reads the packets of one track. */
class MatroskaReader {
	/** The first element after the descriptions of the tracks. */
	private firstElement: Element | undefined;

	/** Offset after the current cluster; Infinity if its size is unknown. */
	private clusterEnd = 0;

	/**
	 * What the next cluster is expected to start with; undefined before the first. After a cluster of unknown size, it is
	 * that cluster's complete header, which most following clusters repeat, and which is too long to occur by chance.
	 */
	private nextClusterSignature: Buffer | undefined;

	constructor(private readonly reader: ForwardReader) {}

	/**
	 * Reads up to the first element after the descriptions of the tracks, and chooses the track whose blocks are read.
	 *
	 * @throws {ConversionError} if no track can be converted, or the description of one is too long
	 */
	async readTrack(): Promise<TrackEntry> {
		const entries: TrackEntry[] = [];
		this.firstElement = await this.readElement();
		while (this.firstElement?.id === trackEntryElement) {
			const { contentLength } = this.firstElement;
			if (contentLength > maxEntryBytes) throw createDamagedError();
			const entry = readEntry(await this.reader.read(contentLength));
			if (entries.length < maxTracks) entries.push(entry);
			this.firstElement = await this.readElement();
		}
		return chooseTrack(entries);
	}

	/** @param track as {@link readTrack} returns it */
	async *readBlocks(track: TrackEntry): AsyncGenerator<Block> {
		/** What the current block group discards, which may come before its block. */
		let discardedNs = 0;
		/** Whether the current block group had a block of the track. The padding after another track's block is ignored. */
		let hasBlockOfTrack = false;
		let element = this.firstElement;
		while (element !== undefined) {
			const { id, contentLength } = element;
			if (id === blockGroupElement) {
				discardedNs = 0;
				hasBlockOfTrack = false;
			} else if (id === discardPaddingElement) {
				discardedNs = await this.readDiscardedNs(contentLength);
				if (hasBlockOfTrack) yield { packets: [], discardedNs };
			} else if (id === trackEntryElement) {
				// It is damaged data that looks like a track.
				await this.reader.skip(contentLength);
			} else {
				const block = await this.readBlock(contentLength, track);
				if (block !== undefined) {
					hasBlockOfTrack = true;
					yield { packets: splitBlock(block), discardedNs: id === blockElement ? discardedNs : 0 };
				}
			}
			element = await this.readElement();
		}
	}

	/**
	 * Reads up to the content of the next element that is not skipped. After damage, it is in the next cluster, as in ffmpeg.
	 *
	 * @returns undefined at the end
	 */
	private async readElement(): Promise<Element | undefined> {
		for (;;) {
			const bytes = await this.reader.peek(maxHeaderBytes);
			const header = decodeElementHeader(bytes);
			if (header === undefined || !(await this.isPlausible(header))) {
				await this.reader.skip(1);
				if (!(await this.reader.skipTo(clusterSignature))) return undefined;
				continue;
			}
			const { id, headerLength, contentLength } = header;
			await this.reader.skip(headerLength);
			if (id === clusterElement) {
				this.clusterEnd = this.reader.position + contentLength;
				this.nextClusterSignature =
					contentLength === Infinity
						? Buffer.from(bytes.subarray(0, headerLength))
						: clusterSignature;
			}
			if (enteredElements.includes(id)) continue;
			if (returnedElements.includes(id)) return { id, contentLength };
			await this.reader.skip(contentLength);
		}
	}

	/** Whether an element ends in its cluster, or before the next one. */
	private async isPlausible({ id, headerLength, contentLength }: ElementHeader): Promise<boolean> {
		if (enteredElements.includes(id)) return true;
		if (contentLength === Infinity) return false;
		if (this.nextClusterSignature === undefined) return true;
		const { position } = this.reader;
		const length = headerLength + contentLength;
		const isInCluster = position < this.clusterEnd && this.clusterEnd !== Infinity;
		if (isInCluster) return position + length <= this.clusterEnd;
		const bytes = await this.reader.peek(Math.min(length, maxSearchedBytes));
		return !bytes.includes(this.nextClusterSignature);
	}

	private async readDiscardedNs(length: number): Promise<number> {
		if (length < 1 || length > 8) {
			await this.reader.skip(length);
			return 0;
		}
		const content = await this.reader.read(length);
		if (content.length < length) return 0;
		// A negative number is for the start, which the header specifies.
		const isNegative = (content[0] ?? 0) >= 0x80;
		return isNegative ? 0 : decodeUnsigned(content);
	}

	/** @returns the block from its timestamp on; undefined for one of another track, or one that is cut off */
	private async readBlock(length: number, track: TrackEntry): Promise<Buffer | undefined> {
		const trackNumber = await readVint(this.reader);
		const rest = length - (trackNumber?.length ?? 1);
		if (trackNumber?.value !== track.number) {
			await this.reader.skip(rest);
			return undefined;
		}
		if (rest > maxBlockBytes) {
			// It is damage, so the rest of its cluster is lost.
			await this.reader.skipTo(clusterSignature);
			return undefined;
		}
		const block = await this.reader.read(rest);
		return block.length === rest ? block : undefined;
	}
}

async function* readPackets(reader: ForwardReader): AsyncGenerator<Buffer> {
	const matroska = new MatroskaReader(reader);
	const track = await matroska.readTrack();
	for await (const { packets } of matroska.readBlocks(track)) yield* packets;
}

/**
 * Reads a Matroska or WebM file to its end.
 *
 * @throws {ConversionError} if it is damaged, or has no audio that can be converted
 */
export async function scanMatroska(reader: ForwardReader): Promise<AudioTrack> {
	const matroska = new MatroskaReader(reader);
	const track = await matroska.readTrack();
	const sizes = new PacketSizes();
	let packetBytes = 0;
	let samples = 0;
	let lastSamples = 0;
	let discardedNs = 0;
	for await (const block of matroska.readBlocks(track)) {
		discardedNs = block.discardedNs;
		for (const packet of block.packets) {
			sizes.add(packet.length);
			packetBytes += packet.length;
			lastSamples = countSamples(packet);
			samples += lastSamples;
		}
	}
	if (!isOpus(track)) return createCopiedTrack(track, sizes.copy(), discardedNs);
	const trimmed = Math.min(Math.round((discardedNs * opusRate) / 1e9), lastSamples);
	return createOpusTrack(track, sizes.count, samples - trimmed, packetBytes);
}

/**
 * @param end samples up to the end of what is played
 * @param packetBytes length of all packets
 * @throws {ConversionError} if {@link readOpusHead} rejects the header
 */
function createOpusTrack(
	{ codecPrivate: head }: TrackEntry,
	packetCount: number,
	end: number,
	packetBytes: number,
): OpusTrack {
	// ffmpeg and browsers use the header's number of samples, not the track's CodecDelay, which repeats it.
	const { preSkip: skippedSamples } = readOpusHead(head);
	const playedSamples = Math.max(0, end - skippedSamples);
	return {
		kind: 'opus',
		links: [{ head, packetCount, skippedSamples, playedSamples }],
		packetBytes,
		readPackets,
	};
}

/**
 * @param discardedNs at the end, which are not played
 * @throws {ConversionError} if the track's description is damaged
 */
function createCopiedTrack(
	track: TrackEntry,
	sizes: Uint32Array,
	discardedNs: number,
): CopiedTrack {
	const { codecPrivate: config, channels } = track;
	const codec = isAac(track) ? 'aac' : 'alac';
	const { samplingRate, packetSamples } =
		codec === 'aac' ? readAacConfig(config) : readAlacConfig(config);
	// M4A has 16 bits for the number of channels.
	const hasChannels = channels >= 1 && channels <= 65_535;
	if (!samplingRate || packetSamples === 0 || !hasChannels) throw createDamagedError();
	const copied: CopiedTrack = {
		kind: 'copied',
		codec,
		config,
		samplingRate,
		channels,
		timescale: samplingRate,
		sizes,
		durations: [{ packetCount: sizes.length, ticks: packetSamples }],
		readPackets,
	};
	const trimmed = Math.min(Math.round((discardedNs * samplingRate) / 1e9), packetSamples);
	const playedTicks = sizes.length * packetSamples - trimmed;
	if (trimmed > 0 && playedTicks > 0) copied.playedParts = [{ skippedTicks: 0, playedTicks }];
	return copied;
}
