import { ConversionError, createDamagedError } from '../../errors/audioError';
import type { ForwardReader } from '../../streams/forwardReader';
import { countSamples, maxPacketBytes, readOpusHead } from './opus';
import type { OpusLink, OpusTrack } from './track';

// Section numbers without a name are those of RFC 3533.

/**
 * Maximum number of links, and of other streams. Of its 28 MiB of memory, the decoder keeps 23 kB for each link until the
 * end, although `opus_frame_decoder_destroy` is called (measured with opus-decoder 0.7.12).
 */
const maxLinks = 500;

/** A page of the file (6). */
interface Page {
	/** Whether its first packet continues one of the page before. */
	isContinued: boolean;
	/** Whether it is marked as the first page of its stream. */
	isFirst: boolean;
	/** Whether it is the last page of its stream. */
	isLast: boolean;
	/** In Opus, the number of samples at 48 kHz up to the end of the last packet that ends on this page; -1 if none does. */
	granule: number;
	serial: number;
	/** Lengths of the parts of packets. A packet continues after a part of 255 bytes. */
	lacing: Buffer;
	body: Buffer;
}

/** What a page starts with. */
const pageSignature = Buffer.from('OggS');

/**
 * Reads the next page, also after bytes that are not a page, where a part of the file was lost.
 *
 * @returns undefined at the end, and for a page that is cut off
 */
async function readPage(reader: ForwardReader): Promise<Page | undefined> {
	if (!(await reader.skipTo(pageSignature))) return undefined;
	const header = await reader.read(27);
	if (header.length < 27) return undefined;
	const flags = header[5]!;
	const lacing = await reader.read(header[26]!);
	const length = lacing.reduce((sum, part) => sum + part, 0);
	const body = await reader.read(length);
	if (lacing.length < header[26]! || body.length < length) return undefined;
	return {
		isContinued: (flags & 1) !== 0,
		isFirst: (flags & 2) !== 0,
		isLast: (flags & 4) !== 0,
		granule: Number(header.readBigInt64LE(6)),
		serial: header.readUInt32LE(14),
		lacing,
		body,
	};
}

/** Joins the parts of packets that are spread over pages. */
class PacketAssembler {
	/** The parts of a packet that is not complete; undefined if there is none. */
	private parts: Buffer[] | undefined;

	private length = 0;

	/** The packets that end on this page. */
	add({ isContinued, lacing, body }: Page): Buffer[] {
		if (!isContinued) this.parts = undefined;
		// The start of this page's first packet is lost.
		let isLost = isContinued && this.parts === undefined;
		const packets: Buffer[] = [];
		let start = 0;
		let end = 0;
		for (const part of lacing) {
			end += part;
			if (part === 255) continue;
			if (!isLost) packets.push(this.complete(body.subarray(start, end)));
			isLost = false;
			start = end;
		}
		const isUnfinished = lacing.at(-1) === 255;
		if (isUnfinished && !isLost) this.keep(body.subarray(start));
		return packets;
	}

	private complete(part: Buffer): Buffer {
		if (this.parts === undefined) return part;
		this.keep(part);
		const packet = Buffer.concat(this.parts);
		this.parts = undefined;
		return packet;
	}

	/**
	 * Keeps little more than a valid packet can have, because tags may contain a picture, and a damaged packet anything.
	 */
	private keep(part: Buffer): void {
		if (this.parts === undefined) {
			this.parts = [];
			this.length = 0;
		}
		if (this.length > maxPacketBytes) return;
		this.parts.push(part);
		this.length += part.length;
	}
}

/** Codecs of audio, and what the first page of a stream starts with. */
const codecs = [
	{ codec: 'Opus', start: 'OpusHead' },
	{ codec: 'Vorbis', start: '\u0001vorbis' },
	{ codec: 'Speex', start: 'Speex   ' },
	{ codec: 'FLAC in OGG', start: '\u007fFLAC' },
	{ codec: 'FLAC in OGG', start: 'fLaC' },
	{ codec: 'CELT', start: 'CELT    ' },
	{ codec: 'PCM', start: 'PCM     ' },
];

/** @returns undefined for what is not audio */
function findCodec(page: Page): string | undefined {
	const content = page.body.toString('latin1', 0, 8);
	return codecs.find(({ start }) => content.startsWith(start))?.codec;
}

/** What the pages of a file contain, in order. */
type OggPart =
	/** The first Opus stream of a link of the chain. */
	| { kind: 'head'; head: Buffer }
	/** Another stream that starts. */
	| { kind: 'other'; codec: string | undefined }
	| { kind: 'packets'; packets: Buffer[]; granule: number; isLast: boolean };

/**
 * Reads one Opus stream of each link. Streams that play at the same time start together (4).
 *
 * The flag of a first page may be damaged. So a page with the signature of a codec counts as a first page even without the
 * flag. A page of the stream that is being read does not count as one even with it.
 */
async function* readParts(reader: ForwardReader): AsyncGenerator<OggPart> {
	/** Serial number of the Opus stream that is being read. */
	let serial: number | undefined;
	/** Whether that stream had its last page, so that a file joined to this one may reuse its number. */
	let hasEnded = false;
	/** Whether a first page of Opus starts a link. First pages in a row belong to one link; any other page ends the row. */
	let isLinkNext = true;
	let areTagsNext = true;
	const assembler = new PacketAssembler();
	for (;;) {
		const page = await readPage(reader);
		if (page === undefined) return;
		const codec = findCodec(page);
		const isRunning = page.serial === serial && !hasEnded;
		if (codec === 'Opus' && isLinkNext) {
			serial = page.serial;
			hasEnded = false;
			isLinkNext = false;
			areTagsNext = true;
			yield { kind: 'head', head: page.body };
			continue;
		}
		if (codec !== undefined || (page.isFirst && !isRunning)) {
			// The number now belongs to another stream.
			if (isLinkNext && page.serial === serial) serial = undefined;
			yield { kind: 'other', codec };
			continue;
		}
		isLinkNext = true;
		if (page.serial !== serial) continue;
		hasEnded ||= page.isLast;
		const packets = assembler.add(page);
		if (areTagsNext && packets.length > 0) {
			areTagsNext = false;
			if (packets[0]!.toString('latin1', 0, 8) === 'OpusTags') packets.shift();
		}
		yield { kind: 'packets', packets, granule: page.granule, isLast: page.isLast };
	}
}

async function* readPackets(reader: ForwardReader): AsyncGenerator<Buffer> {
	for await (const part of readParts(reader)) {
		if (part.kind === 'packets') yield* part.packets;
	}
}

/**
 * Reads an Ogg file (RFC 3533) with Opus (RFC 7845) to its end.
 *
 * @throws {ConversionError} if it is damaged, or has no Opus that can be converted
 */
export async function scanOgg(reader: ForwardReader): Promise<OpusTrack> {
	const links: OpusLink[] = [];
	let packetBytes = 0;
	const others: Array<string | undefined> = [];
	/** Granule position of the last page on which a packet ended. */
	let granule = 0;
	for await (const part of readParts(reader)) {
		if (part.kind === 'other') {
			others.push(part.codec);
			if (others.length > maxLinks) throw createDamagedError();
			continue;
		}
		if (part.kind === 'head') {
			const { preSkip } = readOpusHead(part.head);
			links.push({
				head: part.head,
				packetCount: 0,
				skippedSamples: preSkip,
				// Starts below zero, because the skipped samples are not played.
				playedSamples: -preSkip,
			});
			if (links.length > maxLinks) throw createDamagedError();
			granule = 0;
			continue;
		}
		const link = links.at(-1)!;
		const samples = part.packets.reduce((sum, packet) => sum + countSamples(packet), 0);
		packetBytes += part.packets.reduce((sum, { length }) => sum + length, 0);
		link.packetCount += part.packets.length;
		link.playedSamples += samples;
		if (part.granule === -1) continue;
		// The end of the last page may be padding (RFC 7845, 4.4).
		const padding = granule + samples - part.granule;
		if (part.isLast) link.playedSamples -= Math.max(0, Math.min(padding, samples));
		granule = part.granule;
	}
	if (links.length === 0) throw createNoOpusError(others);
	if (links.every(({ packetCount }) => packetCount === 0)) {
		throw new ConversionError({ kind: 'headerOnly' });
	}
	for (const link of links) link.playedSamples = Math.max(0, link.playedSamples);
	return { kind: 'opus', links, packetBytes, readPackets };
}

function createNoOpusError(others: Array<string | undefined>): ConversionError {
	const codec = others.find((name) => name !== undefined);
	if (codec !== undefined) return new ConversionError({ kind: 'codec', codec });
	return new ConversionError({ kind: others.length > 0 ? 'noAudio' : 'damaged' });
}
