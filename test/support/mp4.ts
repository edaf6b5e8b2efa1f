/** MP4 boxes that no common tool writes. */

export function u32(...values: number[]): Buffer {
	const bytes = Buffer.alloc(values.length * 4);
	values.forEach((value, at) => bytes.writeUInt32BE(value, at * 4));
	return bytes;
}

export function box(name: string, ...content: Array<Buffer | string>): Buffer {
	const inside = Buffer.concat(
		content.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
	);
	return Buffer.concat([u32(inside.length + 8), Buffer.from(name, 'latin1'), inside]);
}

/** A box whose length takes 64 bits. */
export function longBox(name: string, content: Buffer): Buffer {
	return Buffer.concat([u32(1), Buffer.from(name), u32(0, content.length + 16), content]);
}

/** A descriptor of MPEG-4, its length in four bytes as most tools write it, or in one. */
export function descriptor(tag: number, content: Buffer, isLong = true): Buffer {
	const pieces = [21, 14, 7].map((shift) => 128 | ((content.length >> shift) & 127));
	const length = isLong ? [...pieces, content.length & 127] : [content.length];
	return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

export function esds(config: number[], flags = 0, optional: number[] = [], isLong = true): Buffer {
	const specific = descriptor(5, Buffer.from(config), isLong);
	const decoder = descriptor(4, Buffer.concat([Buffer.alloc(13, 1), specific]), isLong);
	const about = Buffer.from([0, 1, flags, ...optional]);
	return box('esds', u32(0), descriptor(3, Buffer.concat([about, decoder]), isLong));
}

/** `mdhd` with 32-bit times. */
export function times(scale: number, duration: number): Buffer {
	return Buffer.concat([u32(0, 0, 0, scale, duration), Buffer.alloc(4)]);
}

/** `mdhd` with 64-bit times. */
export function longTimes(scale: number, duration: bigint): Buffer {
	const bytes = Buffer.alloc(36);
	bytes[0] = 1;
	bytes.writeUInt32BE(scale, 20);
	bytes.writeBigUInt64BE(duration, 24);
	return bytes;
}

/** A track of ten seconds at 16 kHz. */
export function track({
	handler = 'soun',
	/** `mdhd` content. */
	times: mdhd = times(16_000, 160_000),
	channels = 2,
	rate = 16_000,
	/** Boxes in the sample entry. */
	inEntry = Buffer.alloc(0) as Buffer,
	/** `mdhd` after everything else. */
	areTimesLast = false,
} = {}): Buffer {
	const entry = Buffer.alloc(28);
	entry.writeUInt16BE(channels, 16);
	entry.writeUInt32BE(rate * 65_536, 24);
	const stsd = box('stsd', u32(0, 1), box('mp4a', entry, inEntry));
	const hdlr = box('hdlr', u32(0, 0), handler, Buffer.alloc(13));
	const others = [hdlr, box('minf', box('stbl', stsd))];
	const all = areTimesLast ? [...others, box('mdhd', mdhd)] : [box('mdhd', mdhd), ...others];
	return box('trak', box('mdia', ...all));
}

export const ftyp = box('ftyp', 'M4A ', u32(0), 'M4A isom');

/** A file with only an index. */
export const movie = (...content: Buffer[]) => Buffer.concat([ftyp, box('moov', ...content)]);
