import { readAacConfig, readAlacConfig } from '../../codecs';
import { ConversionError, createDamagedError } from '../../../errors/audioError';
import { maxSmallElements, minBytesPerElement } from '../../../limits';
import { countSamples, opusRate, readOpusHead } from '../opus';
import { type AudioTrack, type CopiedTrack, type OpusTrack, PacketSizes } from '../track';
import type { ForwardReader, ReadAgain } from '../../../streams/forwardReader';
import {
	decodeElementHeader,
	decodeUnsigned,
	type ElementHeader,
	findVint,
	maxHeaderBytes,
	maxVintBytes,
	splitBlock,
} from './ebml';
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

	/** Offset after the description of the tracks; 0 if its size is unknown. */
	private tracksEnd = 0;

	/** Offset after the last element that has a known size. */
	private knownEnd = 0;

	private elements = 0;

	constructor(private readonly reader: ForwardReader) {}

	/** Whether the file ends before its audio may begin: in an element, or without a cluster. To be called at the end. */
	get isCutOff(): boolean {
		return this.nextClusterSignature === undefined || this.reader.position < this.knownEnd;
	}

	/**
	 * Reads up to the first element after the descriptions of the tracks, and chooses the track whose blocks are read. Some
	 * programs move the descriptions to the end when they change them, e.g. MKVToolNix.
	 *
	 * @returns the track, and whether it was found after blocks, so that another reader must read them
	 * @throws {ConversionError} if no track can be converted, or the description of one is cut off or too long
	 */
	async readTrack(): Promise<{ track: TrackEntry; isAfterBlocks: boolean }> {
		const entries: TrackEntry[] = [];
		let isAfterBlocks = false;
		let element = await this.readElement();
		while (element !== undefined && element.id !== trackEntryElement) {
			isAfterBlocks = true;
			if (element.id !== blockGroupElement) await this.reader.skip(element.contentLength);
			element = await this.readElement();
		}
		while (element?.id === trackEntryElement) {
			const { contentLength } = element;
			if (contentLength > maxEntryBytes) throw createDamagedError();
			const content = await this.reader.read(contentLength);
			if (content.length < contentLength) throw new ConversionError({ kind: 'headerOnly' });
			if (entries.length < maxTracks) entries.push(readEntry(content));
			element = await this.readElement();
		}
		const isEnd = element === undefined;
		if (isEnd && entries.length > 0 && this.reader.position < this.tracksEnd) {
			throw new ConversionError({ kind: 'headerOnly' });
		}
		this.firstElement = element;
		return { track: chooseTrack(entries), isAfterBlocks };
	}

	/**
	 * Reads from the start, or after {@link readTrack}.
	 *
	 * @param track whose blocks are read
	 */
	async *readBlocks(track: TrackEntry): AsyncGenerator<Block> {
		/** What the current block group discards, which may come before its block. */
		let discardedNs = 0;
		/** Whether the current block group had a block of the track. The padding after another track's block is ignored. */
		let hasBlockOfTrack = false;
		let element = this.firstElement ?? (await this.readElement());
		while (element !== undefined) {
			const { id, contentLength } = element;
			if (id === blockGroupElement) {
				discardedNs = 0;
				hasBlockOfTrack = false;
			} else if (id === discardPaddingElement) {
				discardedNs = await this.readDiscardedNs(contentLength);
				if (hasBlockOfTrack) yield { packets: [], discardedNs };
			} else if (id === trackEntryElement) {
				// It is known already, or it is damaged data that looks like a track.
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
	 * @throws {ConversionError} if there are suspiciously many elements for the bytes that were read
	 */
	private async readElement(): Promise<Element | undefined> {
		const { reader } = this;
		for (;;) {
			this.countElement();
			const bytes = reader.peekReceived(maxHeaderBytes) ?? (await reader.peek(maxHeaderBytes));
			const header = decodeElementHeader(bytes);
			const isPlausible =
				header !== undefined &&
				(this.fitsIntoCluster(header) ?? (await this.endsBeforeNextCluster(header)));
			if (!isPlausible) {
				await reader.skip(1);
				if (!(await reader.skipTo(clusterSignature))) return undefined;
				continue;
			}
			const { id, headerLength, contentLength } = header;
			reader.skipReceived(headerLength);
			const end = reader.position + contentLength;
			if (end !== Infinity) this.knownEnd = Math.max(this.knownEnd, end);
			if (id === tracksElement && end !== Infinity) this.tracksEnd = end;
			if (id === clusterElement) {
				this.clusterEnd = end;
				this.nextClusterSignature =
					contentLength === Infinity
						? Buffer.from(bytes.subarray(0, headerLength))
						: clusterSignature;
			}
			if (enteredElements.includes(id)) continue;
			if (returnedElements.includes(id)) return { id, contentLength };
			if (!reader.skipReceived(contentLength)) await reader.skip(contentLength);
		}
	}

	/** @throws {ConversionError} if there are suspiciously many elements for the bytes that were read */
	private countElement(): void {
		this.elements++;
		const maxElements = maxSmallElements + this.reader.position / minBytesPerElement;
		if (this.elements > maxElements) throw createDamagedError();
	}

	/** Whether an element ends in its cluster; undefined if the end of the cluster is unknown. */
	private fitsIntoCluster({ id, headerLength, contentLength }: ElementHeader): boolean | undefined {
		if (enteredElements.includes(id)) return true;
		if (contentLength === Infinity) return false;
		if (this.nextClusterSignature === undefined) return true;
		const { position } = this.reader;
		const isInCluster = position < this.clusterEnd && this.clusterEnd !== Infinity;
		return isInCluster ? position + headerLength + contentLength <= this.clusterEnd : undefined;
	}

	private async endsBeforeNextCluster(header: ElementHeader): Promise<boolean> {
		const length = Math.min(header.headerLength + header.contentLength, maxSearchedBytes);
		const bytes = this.reader.peekReceived(length) ?? (await this.reader.peek(length));
		return !bytes.includes(this.nextClusterSignature!);
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
		const { reader } = this;
		const startBytes = Math.min(length, maxVintBytes);
		const start = reader.peekReceived(startBytes) ?? (await reader.peek(startBytes));
		const trackNumber = findVint(start);
		if (trackNumber?.value !== track.number) {
			if (!reader.skipReceived(length)) await reader.skip(length);
			return undefined;
		}
		reader.skipReceived(trackNumber.length);
		const rest = length - trackNumber.length;
		if (rest > maxBlockBytes) {
			// It is damage, so the rest of its cluster is lost.
			await reader.skipTo(clusterSignature);
			return undefined;
		}
		const block = await reader.read(rest);
		return block.length === rest ? block : undefined;
	}
}

async function* readPackets(reader: ForwardReader, track: TrackEntry): AsyncGenerator<Buffer> {
	for await (const { packets } of new MatroskaReader(reader).readBlocks(track)) yield* packets;
}

/**
 * Reads a Matroska or WebM file to its end.
 *
 * @throws {ConversionError} if it is damaged, or has no audio that can be converted
 */
export async function scanMatroska(
	reader: ForwardReader,
	readAgain: ReadAgain,
): Promise<AudioTrack> {
	const matroska = new MatroskaReader(reader);
	const { track, isAfterBlocks } = await matroska.readTrack();
	if (!isAfterBlocks) return await scanBlocks(matroska, track);
	return await readAgain(async (again) => await scanBlocks(new MatroskaReader(again), track));
}

/** @throws {ConversionError} if there are no packets, or the track's description is damaged */
async function scanBlocks(matroska: MatroskaReader, track: TrackEntry): Promise<AudioTrack> {
	const sizes = new PacketSizes();
	let samples = 0;
	let lastSamples = 0;
	let discardedNs = 0;
	for await (const block of matroska.readBlocks(track)) {
		discardedNs = block.discardedNs;
		for (const packet of block.packets) {
			sizes.add(packet.length);
			lastSamples = countSamples(packet);
			samples += lastSamples;
		}
	}
	if (sizes.count === 0) {
		throw new ConversionError({ kind: matroska.isCutOff ? 'headerOnly' : 'noAudio' });
	}
	if (!isOpus(track)) return createCopiedTrack(track, sizes, discardedNs);
	const trimmed = Math.min(Math.round((discardedNs * opusRate) / 1e9), lastSamples);
	return createOpusTrack(track, sizes, samples - trimmed);
}

/**
 * @param end samples up to the end of what is played
 * @throws {ConversionError} if {@link readOpusHead} rejects the header
 */
function createOpusTrack(
	track: TrackEntry,
	{ count: packetCount, totalBytes: packetBytes }: PacketSizes,
	end: number,
): OpusTrack {
	// ffmpeg and browsers use the header's number of samples, not the track's CodecDelay, which repeats it.
	const head = track.codecPrivate.length > 0 ? track.codecPrivate : createOpusHead(track);
	const { preSkip: skippedSamples } = readOpusHead(head);
	const playedSamples = Math.max(0, end - skippedSamples);
	return {
		kind: 'opus',
		links: [{ head, packetCount, skippedSamples, playedSamples }],
		packetBytes,
		readPackets: (reader) => readPackets(reader, track),
	};
}

/**
 * Makes the header (RFC 7845, 5.1) of a track that has none. The mapping of more than two channels is unknown.
 */
function createOpusHead({ channels, codecDelayNs }: TrackEntry): Buffer {
	const head = Buffer.alloc(19);
	head.write('OpusHead');
	head[8] = 1;
	head[9] = Math.min(channels, 0xff);
	head.writeUInt16LE(Math.min(Math.round((codecDelayNs * opusRate) / 1e9), 0xffff), 10);
	head.writeUInt32LE(opusRate, 12);
	return head;
}

/**
 * @param discardedNs at the end, which are not played
 * @throws {ConversionError} if the track's description is damaged
 */
function createCopiedTrack(
	track: TrackEntry,
	sizes: PacketSizes,
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
		...sizes.describe(),
		durations: Uint32Array.of(sizes.count, packetSamples),
		totalTicks: sizes.count * packetSamples,
		readPackets: (reader) => readPackets(reader, track),
	};
	const trimmed = Math.min(Math.round((discardedNs * samplingRate) / 1e9), packetSamples);
	const playedTicks = copied.totalTicks - trimmed;
	if (trimmed > 0 && playedTicks > 0) copied.playedParts = [{ skippedTicks: 0, playedTicks }];
	return copied;
}
