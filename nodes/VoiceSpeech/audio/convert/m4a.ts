import type { ForwardReader } from './forwardReader';
import { ConversionError } from '../conversionError';
import { countTicks, type CopiedTrack } from './track';
import type { ConvertedFile } from './wav';

// Names, layouts and section numbers without a source are those of ISO/IEC 14496-12.

/** Packets between two turns. */
const packetsPerTurn = 100;

/** How much is passed on at a time, in bytes. */
const blockBytes = 64 * 1024;

const u16 = (...values: number[]): Buffer => {
	const bytes = Buffer.alloc(2 * values.length);
	values.forEach((value, index) => bytes.writeUInt16BE(value, 2 * index));
	return bytes;
};

const u32 = (...values: number[]): Buffer => {
	const bytes = Buffer.alloc(4 * values.length);
	values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index));
	return bytes;
};

const u64 = (...values: number[]): Buffer => {
	const bytes = Buffer.alloc(8 * values.length);
	values.forEach((value, index) => bytes.writeBigUInt64BE(BigInt(value), 8 * index));
	return bytes;
};

function box(name: string, ...content: Buffer[]): Buffer {
	const length = content.reduce((sum, part) => sum + part.length, 8);
	return Buffer.concat([u32(length), Buffer.from(name, 'latin1'), ...content]);
}

/** A box that starts with a version and flags (4.2). */
const fullBox = (name: string, version: number, flags: number, ...content: Buffer[]) =>
	box(name, u32((version << 24) | flags), ...content);

/** No rotation (6.2.2). */
const unityMatrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** A descriptor (ISO/IEC 14496-1, 8.3.3), with a length of four bytes as most tools write it. */
function descriptor(tag: number, ...content: Buffer[]): Buffer {
	const bytes = Buffer.concat(content);
	const length = [21, 14, 7, 0].map((shift) => ((bytes.length >> shift) & 127) | 128);
	length[3]! &= 127;
	return Buffer.concat([Buffer.from([tag, ...length]), bytes]);
}

/** Describes AAC (ISO/IEC 14496-14, 5.6). */
function esds(config: Buffer, largestPacket: number, bitRate: number): Buffer {
	// MPEG-4 audio, a stream of audio, the length of the decoder's buffer, the highest and the mean bit rate.
	const mpeg4Audio = Buffer.from([
		0x40,
		0x15,
		largestPacket >> 16,
		largestPacket >> 8,
		largestPacket,
	]);
	const decoder = descriptor(4, mpeg4Audio, u32(bitRate, bitRate), descriptor(5, config));
	const syncLayer = descriptor(6, Buffer.from([2]));
	return fullBox('esds', 0, 0, descriptor(3, Buffer.from([0, 1, 0]), decoder, syncLayer));
}

/** A sample entry (12.2.3). */
function sampleEntry(track: CopiedTrack, bitRate: number): Buffer {
	const { codec, config, channels, samplingRate } = track;
	const largestPacket = track.sizes.reduce((most, size) => Math.max(most, size), 0);
	const isAac = codec === 'aac';
	const sampleBits = isAac ? 16 : config[5]!;
	// The rate is the upper half of a fixed-point number, where a rate above 65,535 Hz does not fit.
	const rate = samplingRate > 0xffff ? 0 : samplingRate;
	return box(
		isAac ? 'mp4a' : 'alac',
		u16(0, 0, 0, 1, 0, 0, 0, 0),
		u16(channels, sampleBits, 0, 0, rate, 0),
		isAac ? esds(config, largestPacket, bitRate) : fullBox('alac', 0, 0, config),
	);
}

/** Sizes of all packets (8.7.3.2). */
function sizeTable(sizes: Uint32Array): Buffer {
	const table = Buffer.from(
		sizes.buffer.slice(sizes.byteOffset, sizes.byteOffset + sizes.byteLength),
	);
	return fullBox('stsz', 0, 0, u32(0, sizes.length), table.swap32());
}

/** Durations of all packets (8.6.1.2). */
function durationTable(durations: CopiedTrack['durations']): Buffer {
	const entries = Buffer.alloc(8 * durations.length);
	durations.forEach(({ packets, ticks }, index) => {
		entries.writeUInt32BE(packets, 8 * index);
		entries.writeUInt32BE(ticks, 8 * index + 4);
	});
	return fullBox('stts', 0, 0, u32(durations.length), entries);
}

/** The part of the track that is played (8.6.6). */
function editList({ skip, length }: { skip: number; length: number }): Buffer {
	return box('edts', fullBox('elst', 1, 0, u32(1), u64(length, skip), u16(1, 0)));
}

/** The index. All times are in ticks of the track, with 64 bits. */
function movie(track: CopiedTrack, dataOffset: number, payloadBytes: number): Buffer {
	const { timescale, durations, edit, sizes } = track;
	const duration = countTicks(track);
	const played = edit?.length ?? duration;
	const seconds = duration / timescale;
	const bitRate = Math.min(0xffffffff, Math.round((payloadBytes * 8) / (seconds || 1)));
	const reserved = u32(0, 0);
	const tables = box(
		'stbl',
		fullBox('stsd', 0, 0, u32(1), sampleEntry(track, bitRate)),
		durationTable(durations),
		// All packets are in one chunk.
		fullBox('stsc', 0, 0, u32(1, 1, sizes.length, 1)),
		sizeTable(sizes),
		fullBox('stco', 0, 0, u32(1, dataOffset)),
	);
	const media = box(
		'mdia',
		// No language (`und`).
		fullBox('mdhd', 1, 0, u64(0, 0), u32(timescale), u64(duration), u16(0x55c4, 0)),
		fullBox('hdlr', 0, 0, u32(0), Buffer.from('soun'), u32(0, 0, 0), Buffer.from([0])),
		box(
			'minf',
			fullBox('smhd', 0, 0, u32(0)),
			box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
			tables,
		),
	);
	// Enabled and used; full volume.
	const trackHeader = fullBox(
		'tkhd',
		1,
		7,
		u64(0, 0),
		u32(1, 0),
		u64(played),
		reserved,
		u16(0, 0, 0x100, 0),
		unityMatrix,
		u32(0, 0),
	);
	const movieHeader = fullBox(
		'mvhd',
		1,
		0,
		u64(0, 0),
		u32(timescale),
		u64(played),
		u32(0x10000),
		u16(0x100, 0),
		reserved,
		unityMatrix,
		Buffer.alloc(24),
		u32(2),
	);
	const edits = edit ? [editList(edit)] : [];
	return box('moov', movieHeader, box('trak', trackHeader, ...edits, media));
}

const fileType = box('ftyp', Buffer.from('M4A '), u32(512), Buffer.from('M4A isommp42'));

/** Everything before the packets. The offset in it does not change its length. */
function makeHeader(track: CopiedTrack, payloadBytes: number): Buffer {
	const isLong = payloadBytes + 8 > 0xffffffff;
	const mdat = Buffer.from('mdat');
	const dataHeader = isLong
		? Buffer.concat([u32(1), mdat, u64(payloadBytes + 16)])
		: Buffer.concat([u32(payloadBytes + 8), mdat]);
	const indexBytes = movie(track, 0, payloadBytes).length;
	const dataOffset = fileType.length + indexBytes + dataHeader.length;
	return Buffer.concat([fileType, movie(track, dataOffset, payloadBytes), dataHeader]);
}

/** Copies the packets of a track into an M4A file with the index first. */
export function writeM4a(track: CopiedTrack): ConvertedFile {
	const { sizes, timescale } = track;
	const payloadBytes = sizes.reduce((sum, size) => sum + size, 0);
	const headerLength = makeHeader(track, payloadBytes).length;

	async function* chunks(reader: ForwardReader): AsyncGenerator<Uint8Array> {
		yield makeHeader(track, payloadBytes);
		let parts: Buffer[] = [];
		let length = 0;
		let count = 0;
		for await (const packet of track.readPackets(reader)) {
			if (packet.length !== sizes[count]) throw new ConversionError({ reason: 'changed' });
			count++;
			if (count % packetsPerTurn === 0) await reader.yieldTurn();
			parts.push(packet);
			length += packet.length;
			if (length < blockBytes) continue;
			yield Buffer.concat(parts);
			parts = [];
			length = 0;
		}
		if (count !== sizes.length) throw new ConversionError({ reason: 'changed' });
		if (length > 0) yield Buffer.concat(parts);
	}

	const seconds = (track.edit?.length ?? countTicks(track)) / timescale;
	return { bytes: headerLength + payloadBytes, seconds, chunks };
}
