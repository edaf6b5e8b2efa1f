import { readAacConfig } from '../codecs/aacConfig';
import type { ForwardReader } from './forwardReader';
import { growToFit } from './growToFit';
import { OpusTotals, opusRate, readOpusHead } from './opusPackets';
import { ConversionError, createDamagedError } from '../conversionError';
import type { AudioTrack, CopiedTrack, OpusTrack } from './track';
import { cookieBytes, readAlacConfig } from '../codecs/alacConfig';

// Elements of EBML (RFC 8794) and Matroska (RFC 9559), by their IDs with the marker.
const SEGMENT = 0x18538067;
const TRACKS = 0x1654ae6b;
const TRACK_ENTRY = 0xae;
const CLUSTER = 0x1f43b675;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const SIMPLE_BLOCK = 0xa3;
const DISCARD_PADDING = 0x75a2;
const TRACK_NUMBER = 0xd7;
const TRACK_TYPE = 0x83;
const CODEC_ID = 0x86;
const CODEC_PRIVATE = 0x63a2;
const CONTENT_ENCODINGS = 0x6d80;
const AUDIO = 0xe1;

/** Elements whose content is read like what is around them. Their size is not needed, and is often unknown. */
const entered = [SEGMENT, TRACKS, CLUSTER];

/** Elements that are returned; all others are skipped. */
const returned = [TRACK_ENTRY, BLOCK_GROUP, BLOCK, SIMPLE_BLOCK, DISCARD_PADDING];

/** Longest description of a track in bytes, which fonts and pictures are not part of. */
const maxEntryBytes = 1024 * 1024;

/** Longest block of audio in bytes, which would be seconds of uncompressed audio. */
const maxBlockBytes = 4 * 1024 * 1024;

/** Packets that are counted: AAC of more than a day. */
const maxPackets = 5_000_000;

const AUDIO_TYPE = 2;

/** @param first of a number of variable length (RFC 8794, 4) @returns its length in bytes; 9 if it is invalid */
const decodeLength = (first: number) => Math.clz32(first) - 23;

/** @returns undefined at the end, or if it is invalid */
async function readId(reader: ForwardReader): Promise<number | undefined> {
	const first = await reader.read(1);
	const length = decodeLength(first[0] ?? 0);
	if (length > 4) return undefined;
	const rest = await reader.read(length - 1);
	if (rest.length < length - 1) return undefined;
	return Buffer.concat([first, rest]).readUIntBE(0, length);
}

/** A number of variable length, without its marker. */
function decodeNumber(bytes: Buffer): number {
	const length = bytes.length;
	let value = bytes[0]! & (0xff >> length);
	let isUnknown = value === 0xff >> length;
	for (const byte of bytes.subarray(1)) {
		value = value * 256 + byte;
		isUnknown &&= byte === 0xff;
	}
	// If all bits are set, the size is unknown.
	return isUnknown ? Infinity : value;
}

/** @returns undefined at the end, or if it is invalid; Infinity if the size is unknown */
async function readSize(
	reader: ForwardReader,
): Promise<{ value: number; length: number } | undefined> {
	const first = await reader.read(1);
	const length = decodeLength(first[0] ?? 0);
	if (length > 8) return undefined;
	const rest = await reader.read(length - 1);
	if (rest.length < length - 1) return undefined;
	return { value: decodeNumber(Buffer.concat([first, rest])), length };
}

/** @returns the next element that must be read, or undefined at the end and where the file is damaged */
async function readElement(
	reader: ForwardReader,
): Promise<{ id: number; size: number } | undefined> {
	for (;;) {
		const id = await readId(reader);
		if (id === undefined) return undefined;
		const size = (await readSize(reader))?.value;
		if (size === undefined) return undefined;
		if (entered.includes(id)) continue;
		if (returned.includes(id)) return { id, size };
		if ((await reader.skip(size)) < size) return undefined;
	}
}

/** The elements inside an element that was read. */
function* listElements(content: Buffer): Generator<{ id: number; content: Buffer }> {
	let offset = 0;
	while (offset < content.length) {
		const idLength = decodeLength(content[offset]!);
		const sizeOffset = offset + idLength;
		const sizeLength = decodeLength(content[sizeOffset] ?? 0);
		const start = sizeOffset + sizeLength;
		if (idLength > 4 || sizeLength > 8 || start > content.length) return;
		const id = content.readUIntBE(offset, idLength);
		const end = start + decodeNumber(content.subarray(sizeOffset, start));
		yield { id, content: content.subarray(start, Math.min(end, content.length)) };
		offset = end;
	}
}

/** Reads a number of up to eight bytes (RFC 8794, 7.2). */
const readUnsigned = (content: Buffer) =>
	content.length === 0 || content.length > 8 ? 0 : Number(`0x${content.toString('hex')}`);

/** A track of the recording. */
interface TrackEntry {
	number: number;
	type: number;
	codecId: string;
	codecPrivate: Buffer;
	channels: number;
	/** Whether its blocks are compressed or encrypted. */
	isEncoded: boolean;
}

function readEntry(content: Buffer): TrackEntry {
	const entry: TrackEntry = {
		number: 0,
		type: 0,
		codecId: '',
		codecPrivate: Buffer.alloc(0),
		channels: 1,
		isEncoded: false,
	};
	for (const element of listElements(content)) {
		if (element.id === TRACK_NUMBER) entry.number = readUnsigned(element.content);
		if (element.id === TRACK_TYPE) entry.type = readUnsigned(element.content);
		if (element.id === CODEC_ID)
			entry.codecId = element.content.toString('latin1').replace(/\0.*$/, '');
		if (element.id === CODEC_PRIVATE) entry.codecPrivate = element.content;
		if (element.id === CONTENT_ENCODINGS) entry.isEncoded = true;
		if (element.id !== AUDIO) continue;
		for (const setting of listElements(element.content)) {
			if (setting.id === 0x9f) entry.channels = readUnsigned(setting.content);
		}
	}
	return entry;
}

const isOpus = ({ codecId }: TrackEntry) => codecId === 'A_OPUS';
const isAac = ({ codecId, codecPrivate }: TrackEntry) =>
	codecId === 'A_AAC' && codecPrivate.length >= 2;
const isAlac = ({ codecId, codecPrivate }: TrackEntry) =>
	codecId === 'A_ALAC' && codecPrivate.length >= cookieBytes;
const isConverted = (entry: TrackEntry) =>
	!entry.isEncoded && (isOpus(entry) || isAac(entry) || isAlac(entry));

/** Usual names by the start of the codec ID (RFC 9559 and its registry). */
const codecNames: Array<[start: string, codec: string]> = [
	['A_OPUS', 'Opus, compressed or encrypted'],
	['A_AAC', 'AAC in an old or encrypted form'],
	['A_VORBIS', 'Vorbis'],
	['A_AC3', 'AC-3'],
	['A_EAC3', 'E-AC-3'],
	['A_DTS', 'DTS'],
	['A_TRUEHD', 'TrueHD'],
	['A_MLP', 'MLP'],
	['A_FLAC', 'FLAC'],
	['A_ALAC', 'ALAC, damaged or encrypted'],
	['A_MPEG/L3', 'MP3'],
	['A_MPEG/L2', 'MP2'],
	['A_MPEG/L1', 'MP1'],
	['A_PCM', 'PCM'],
	['A_TTA', 'TTA'],
	['A_WAVPACK', 'WavPack'],
	['A_REAL', 'RealAudio'],
];

/** The first track of audio that can be converted. */
function chooseTrack(entries: TrackEntry[]): TrackEntry {
	if (entries.length === 0) throw createDamagedError();
	const tracks = entries.filter(({ type }) => type === AUDIO_TYPE);
	const [first] = tracks;
	if (first === undefined) throw new ConversionError({ reason: 'noAudio' });
	const chosen = tracks.find(isConverted);
	if (chosen !== undefined) return chosen;
	const name = codecNames.find(([start]) => first.codecId.startsWith(start))?.[1];
	throw new ConversionError({ reason: 'codec', codec: name ?? first.codecId.replace('A_', '') });
}

/** @returns the lengths of all packets but the last, and where the first starts; undefined if they are damaged */
function readLacing(block: Buffer, lacing: number): { sizes: number[]; start: number } | undefined {
	const count = (block[3] ?? 0) + 1;
	const sizes: number[] = [];
	let start = 4;
	if (lacing === 2) {
		const size = (block.length - start) / count;
		if (!Number.isInteger(size)) return undefined;
		return { sizes: new Array<number>(count - 1).fill(size), start };
	}
	for (let number = 1; number < count; number++) {
		let size = 0;
		if (lacing === 1) {
			// Xiph lacing adds up bytes until one is not 255.
			let byte = 255;
			while (byte === 255) {
				byte = block[start] ?? 0;
				size += byte;
				start++;
			}
		} else {
			const length = decodeLength(block[start] ?? 0);
			if (length > 8 || start + length > block.length) return undefined;
			const value = decodeNumber(block.subarray(start, start + length));
			start += length;
			// EBML: all but the first are differences, stored with an offset that makes them positive.
			const offset = 2 ** (7 * length - 1) - 1;
			size = number === 1 ? value : sizes.at(-1)! + value - offset;
		}
		sizes.push(size);
	}
	return { sizes, start };
}

/** @param block from its timestamp on @returns its packets; none if it is damaged */
function splitBlock(block: Buffer): Buffer[] {
	const lacing = ((block[2] ?? 0) >> 1) & 3;
	if (block.length < 3) return [];
	if (lacing === 0) return [block.subarray(3)];
	const found = readLacing(block, lacing);
	if (found === undefined) return [];
	const packets: Buffer[] = [];
	let offset = found.start;
	for (const size of found.sizes) {
		if (!(size >= 0) || offset + size > block.length) return [];
		packets.push(block.subarray(offset, offset + size));
		offset += size;
	}
	if (offset > block.length) return [];
	packets.push(block.subarray(offset));
	return packets;
}

/** Reads the packets of one track. */
class MatroskaReader {
	/** Chosen before the first block. */
	track: TrackEntry | undefined;

	/** Nanoseconds at the end of the last packet that are not played. */
	discarded = 0;

	private readonly entries: TrackEntry[] = [];

	constructor(private readonly reader: ForwardReader) {}

	/** The packets of one block after the other. */
	async *readBlocks(): AsyncGenerator<Buffer[]> {
		/** Discarded nanoseconds of the current block group, which may come before its block. */
		let discarded = 0;
		let isChosen = false;
		for (;;) {
			const element = await readElement(this.reader);
			if (element === undefined) break;
			const { id, size } = element;
			if (id === BLOCK_GROUP) {
				discarded = 0;
				isChosen = false;
			} else if (id === DISCARD_PADDING) {
				discarded = await this.readDiscarded(size);
				if (isChosen) this.discarded = discarded;
			} else if (id === TRACK_ENTRY) {
				await this.addTrack(size);
			} else {
				const block = await this.readBlock(size);
				if (block === undefined) continue;
				isChosen = true;
				this.discarded = id === BLOCK ? discarded : 0;
				yield splitBlock(block);
			}
		}
		this.track ??= chooseTrack(this.entries);
	}

	private async readDiscarded(size: number): Promise<number> {
		if (size < 1 || size > 8) {
			await this.reader.skip(size);
			return 0;
		}
		const content = await this.reader.read(size);
		if (content.length < size) return 0;
		// A negative number is for the start, which the header specifies.
		const isNegative = (content[0] ?? 0) >= 0x80;
		return isNegative ? 0 : readUnsigned(content);
	}

	private async addTrack(size: number): Promise<void> {
		if (size > maxEntryBytes) throw createDamagedError();
		const entry = readEntry(await this.reader.read(size));
		if (this.entries.length < 100) this.entries.push(entry);
	}

	/** @returns the block from its timestamp on; undefined for one of another track, or one that is cut off */
	private async readBlock(size: number): Promise<Buffer | undefined> {
		this.track ??= chooseTrack(this.entries);
		const number = await readSize(this.reader);
		const rest = size - (number?.length ?? 1);
		if (number?.value !== this.track.number) {
			await this.reader.skip(rest);
			return undefined;
		}
		if (rest > maxBlockBytes) throw createDamagedError();
		const block = await this.reader.read(rest);
		return block.length === rest ? block : undefined;
	}
}

async function* readPackets(reader: ForwardReader): AsyncGenerator<Buffer> {
	for await (const packets of new MatroskaReader(reader).readBlocks()) yield* packets;
}

/** Reads a Matroska or WebM file to its end. */
export async function scanMatroska(reader: ForwardReader): Promise<AudioTrack> {
	const matroska = new MatroskaReader(reader);
	const totals = new OpusTotals();
	let sizes = new Uint32Array(1024);
	let count = 0;
	let samples = 0;
	let lastSamples = 0;
	for await (const packets of matroska.readBlocks()) {
		for (const packet of packets) {
			if (count === maxPackets) throw createDamagedError();
			sizes = growToFit(sizes, count);
			sizes[count] = packet.length;
			count++;
			lastSamples = totals.add(packet);
			samples += lastSamples;
		}
	}
	const track = matroska.track!;
	if (!isOpus(track)) return createCopiedTrack(track, sizes.slice(0, count), matroska.discarded);
	const trimmed = Math.min(Math.round((matroska.discarded * opusRate) / 1e9), lastSamples);
	return createOpusTrack(track, count, samples - trimmed, totals);
}

/** @param end samples up to the end of what is played */
function createOpusTrack(
	{ codecPrivate: head }: TrackEntry,
	packets: number,
	end: number,
	{ bytes, bandwidth }: OpusTotals,
): OpusTrack {
	// ffmpeg and browsers use the header's number of samples, not the track's CodecDelay, which repeats it.
	const { preSkip: skip } = readOpusHead(head);
	const length = Math.max(0, end - skip);
	return {
		kind: 'opus',
		segments: [{ head, packets, skip, length }],
		bytes,
		bandwidth,
		readPackets,
	};
}

/** @param discarded nanoseconds at the end that are not played */
function createCopiedTrack(track: TrackEntry, sizes: Uint32Array, discarded: number): CopiedTrack {
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
		durations: [{ packets: sizes.length, ticks: packetSamples }],
		readPackets,
	};
	const trimmed = Math.min(Math.round((discarded * samplingRate) / 1e9), packetSamples);
	const length = sizes.length * packetSamples - trimmed;
	if (trimmed > 0 && length > 0) copied.edit = { skip: 0, length };
	return copied;
}
