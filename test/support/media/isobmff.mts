/* Files of MP4 and their boxes (ISO/IEC 14496-12), as Buffers. */
import {
	createDescriptor,
	encodeUint16 as u16,
	encodeUint32 as u32,
} from '../../../nodes/VoiceSpeech/audio/convert/m4aFile.ts';

export { u16, u32 };

export function createBox(name: string, ...content: Array<Buffer | string>): Buffer {
	const inside = Buffer.concat(
		content.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
	);
	return Buffer.concat([u32(inside.length + 8), Buffer.from(name, 'latin1'), inside]);
}

/** A box whose length takes 64 bits. */
export function createLongBox(name: string, content: Buffer): Buffer {
	return Buffer.concat([u32(1), Buffer.from(name), u32(0, content.length + 16), content]);
}

export interface EsdsOptions {
	/** 0x40: MPEG-4 audio. */
	objectType?: number;
	/** Flags of the stream, and the fields that they add. */
	flags?: number;
	optional?: number[];
}

/** An `esds` box (ISO/IEC 14496-14, 5.6) with this AudioSpecificConfig. */
export function createEsds(config: number[], options: EsdsOptions = {}): Buffer {
	const { objectType = 0x40, flags = 0, optional = [] } = options;
	const fields = Buffer.alloc(13, 1).fill(objectType, 0, 1);
	const decoder = createDescriptor(4, [fields, createDescriptor(5, [Buffer.from(config)])]);
	const stream = Buffer.from([0, 1, flags, ...optional]);
	return createBox('esds', u32(0), createDescriptor(3, [stream, decoder]));
}

/** Content of `mdhd` or `mvhd` with 32-bit times. */
export const createTimes = (scale: number, duration: number) => u32(0, 0, 0, scale, duration, 0);

/** Packets of different lengths with different content. */
export const packets = Array.from({ length: 7 }, (_, index) =>
	Buffer.alloc(5 + index, `packet ${index}`),
);

/** AudioSpecificConfig of plain AAC with 44,100 Hz and two channels. */
export const aacConfig = [0x12, 0x10];

/** A sample entry with this name, and boxes in it. */
export function createSampleEntry(
	name: string,
	inner: Buffer,
	{ version = 0, channels = 2 } = {},
): Buffer {
	const extension = Buffer.alloc([0, 16, 36][version]!);
	const fields = u16(0, 0, 0, 1, version, 0, 0, 0, channels, 16, 0, 0, 44_100, 0);
	return createBox(name, fields, extension, inner);
}

const aacEntry = createSampleEntry('mp4a', createEsds(aacConfig));

export interface TrackOptions {
	kind?: string;
	id?: number;
	/** Flags of `tkhd`. */
	flags?: number;
	timescale?: number;
	/** Content of `mdhd`; without a duration by default. */
	mediaHeader?: Buffer;
	entry?: Buffer;
	/** `stsd` has another version than 0. */
	descriptionVersion?: number;
	/** `stts`, `stsc`, `stsz` and `stco`, or others instead. */
	tables?: Buffer[];
	/** In `trak`, e.g. an edit list. */
	others?: Buffer[];
}

export function createTrackBox(options: TrackOptions = {}): Buffer {
	const { kind = 'soun', id = 1, flags = 1, tables = [], others = [] } = options;
	const { timescale = 44_100, mediaHeader = createTimes(timescale, 0) } = options;
	const { entry: sampleEntry = aacEntry, descriptionVersion = 0 } = options;
	const description = createBox('stsd', u32(descriptionVersion * 2 ** 24, 1), sampleEntry);
	return createBox(
		'trak',
		createBox('tkhd', u32(flags, 0, 0, id, 0, 0)),
		...others,
		createBox(
			'mdia',
			createBox('mdhd', mediaHeader),
			createBox('hdlr', u32(0, 0), kind, Buffer.alloc(13)),
			createBox('minf', createBox('stbl', description, ...tables)),
		),
	);
}

export const videoTrack = createTrackBox({
	kind: 'vide',
	id: 9,
	entry: createSampleEntry('avc1', Buffer.alloc(0)),
});

const createTable =
	(name: string, columns: number) =>
	(...numbers: number[]) =>
		createBox(name, u32(0, numbers.length / columns, ...numbers));

export const createStts = createTable('stts', 2);
export const createStsc = createTable('stsc', 3);
export const createStco = createTable('stco', 1);
export const createStsz = (sizes: number[]) => createBox('stsz', u32(0, 0, sizes.length, ...sizes));

/** An entry of an edit list. */
export interface Edit {
	/** In ticks of the movie. */
	duration: number;
	/** In ticks of the track. */
	start: number;
}

export const createEditList = (...edits: Edit[]) => {
	const entries = edits.flatMap(({ duration, start }) => [duration, start >>> 0, 0x10000]);
	return createBox('edts', createBox('elst', u32(0, edits.length, ...entries)));
};

export const createMovieHeader = () => createBox('mvhd', u32(0, 0, 0, 1000), Buffer.alloc(84));

export const sizes = packets.map(({ length }) => length);

/** The track of {@link packets}, as the scan of a file describes it. */
export const describedTrack = {
	codec: 'aac' as const,
	config: Buffer.from(aacConfig),
	samplingRate: 44_100,
	channels: 2,
	timescale: 44_100,
	sizes: Uint32Array.from(sizes),
	durations: Uint32Array.of(7, 1024),
	playedParts: undefined,
};

/** The tables of a track, from `stts` to `stco`; an empty one is missing. */
export interface Tables {
	stts?: Buffer;
	stsc?: Buffer;
	stsz?: Buffer;
	stco?: Buffer;
}

/** The tables of {@link packets} in chunks of 3, 2 and 2, or others in place of some of them. */
export function createUsualTables(offsets: number[], others: Tables = {}): Buffer[] {
	const usual = {
		stts: createStts(7, 1024),
		stsc: createStsc(1, 3, 1, 2, 2, 1),
		stsz: createStsz(sizes),
		stco: createStco(...offsets),
	};
	return Object.values({ ...usual, ...others });
}

/** The tables of a track whose packets are in fragments. */
export const emptyTables = [createStts(), createStsc(), createStsz([]), createStco()];

interface MovieFileOptions {
	brand?: string;
	isIndexFirst?: boolean;
	/** How `mdat` is written, perhaps after other boxes. */
	data?: (content: Buffer) => Buffer;
	/** What differs from the usual track of {@link packets}. */
	track?: TrackOptions;
	/** Creates tables that differ from the usual ones, from the offsets of the chunks. */
	tables?: (offsets: number[]) => Tables;
	/** Creates the boxes in `moov` from the offsets of the chunks; by default, those of a video. */
	index?: (offsets: number[]) => Buffer[];
}

/** A video with {@link packets}, whose chunks have other bytes around them. */
export function createMovieFile(options: MovieFileOptions = {}): Buffer {
	const { brand = 'isom', isIndexFirst = false } = options;
	const { data = (content) => createBox('mdat', content) } = options;
	const { track, tables: createTables = () => ({}) } = options;
	const createIndex = (offsets: number[]) => [
		createMovieHeader(),
		videoTrack,
		createTrackBox({ tables: createUsualTables(offsets, createTables(offsets)), ...track }),
	];
	const { index = createIndex } = options;
	const start = brand === '' ? Buffer.alloc(0) : createBox('ftyp', brand, u32(512), 'isom');
	const relative: number[] = [];
	let content = Buffer.alloc(0);
	for (const chunk of [packets.slice(0, 3), packets.slice(3, 5), packets.slice(5)]) {
		content = Buffer.concat([content, Buffer.alloc(11, 'video')]);
		relative.push(content.length);
		content = Buffer.concat([content, ...chunk]);
	}
	const mdat = data(content);
	const dataStart = mdat.length - content.length;
	const indexLength = createBox('moov', ...index(relative)).length;
	const before = start.length + (isIndexFirst ? indexLength : 0);
	const base = before + dataStart;
	const moov = createBox('moov', ...index(relative.map((offset) => base + offset)));
	return Buffer.concat(isIndexFirst ? [start, moov, mdat] : [start, mdat, moov]);
}
