import { readAudioFile } from './audioFiles.mts';

export interface PageOptions {
	serial?: number;
	granule?: number;
	isContinued?: boolean;
	isFirst?: boolean;
	isLast?: boolean;
	/** Whether the last packet continues on the next page. Then its length must be a multiple of 255. */
	isUnfinished?: boolean;
}

/** A page of an Ogg file (RFC 3533, 6). */
export function createPage(packets: Uint8Array[], options: PageOptions = {}): Buffer {
	const { serial = 1, granule = 0, isContinued, isFirst, isLast, isUnfinished } = options;
	const lacing = packets.flatMap(({ length }) => [
		...new Array<number>(Math.floor(length / 255)).fill(255),
		length % 255,
	]);
	if (isUnfinished) lacing.pop();
	const header = Buffer.alloc(27);
	header.write('OggS', 'latin1');
	header[5] = (isContinued ? 1 : 0) | (isFirst ? 2 : 0) | (isLast ? 4 : 0);
	header.writeBigInt64LE(BigInt(granule), 6);
	header.writeUInt32LE(serial, 14);
	header[26] = lacing.length;
	return Buffer.concat([header, Buffer.from(lacing), ...packets]);
}

export interface HeadOptions {
	channels?: number;
	preSkip?: number;
	/** In decibels. */
	gain?: number;
	/** The channel mapping family, and the table of all but family 0. */
	mapping?: number[];
}

/** An identification header (RFC 7845, 5.1). */
export function createOpusHead(options: HeadOptions = {}): Buffer {
	const { channels = 1, preSkip = 312, gain = 0, mapping = [0] } = options;
	const head = Buffer.alloc(18);
	head.write('OpusHead\u0001', 'latin1');
	head[9] = channels;
	head.writeUInt16LE(preSkip, 10);
	head.writeUInt32LE(48_000, 12);
	head.writeInt16LE(gain * 256, 16);
	return Buffer.concat([head, Buffer.from(mapping)]);
}

export const opusTags = Buffer.concat([Buffer.from('OpusTags'), Buffer.alloc(8)]);

/** The first two pages of an Opus stream. */
export const createOpusStart = (options: HeadOptions & { serial?: number } = {}) =>
	Buffer.concat([
		createPage([createOpusHead(options)], { serial: options.serial, isFirst: true }),
		createPage([opusTags], { serial: options.serial }),
	]);

/** An Opus file with one page of audio, as long as `samples` say. */
export const createOpusFile = (
	packets: Uint8Array[],
	samples: number,
	options: HeadOptions & { serial?: number } = {},
) =>
	Buffer.concat([
		createOpusStart(options),
		createPage(packets, { serial: options.serial, granule: samples, isLast: true }),
	]);

/** The packets of a file without packets that are spread over pages. */
function listPackets(file: Buffer): Buffer[] {
	const packets: Buffer[] = [];
	let offset = 0;
	while (offset < file.length) {
		const count = file[offset + 26]!;
		const lacing = file.subarray(offset + 27, offset + 27 + count);
		offset += 27 + count;
		let start = offset;
		for (const part of lacing) {
			offset += part;
			if (part === 255) continue;
			packets.push(file.subarray(start, offset));
			start = offset;
		}
	}
	return packets;
}

/** A second of a tone, encoded by libopus for speech: 51 packets of 20 ms, of which the last is mostly padding. */
export const tone = listPackets(readAudioFile('opus.opus')).slice(2);
