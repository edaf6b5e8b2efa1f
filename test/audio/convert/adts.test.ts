import { scanAdts } from '../../../nodes/VoiceSpeech/audio/convert/adts';
import { audioFile } from '../../support/audioFiles';
import { collect, readerOf } from '../../support/ogg';

interface FrameOptions {
	/** 1: plain AAC. */
	profile?: number;
	rateIndex?: number;
	channels?: number;
	hasChecksum?: boolean;
	blocks?: number;
	/** The bit for private use, and two for copyright. */
	others?: boolean;
}

/** A frame of ADTS around a packet (ISO/IEC 14496-3, 1.A.2.2). */
function frame(packet: Buffer, options: FrameOptions = {}): Buffer {
	const { profile = 1, rateIndex = 8, channels = 1, hasChecksum = false } = options;
	const { blocks = 1, others = false } = options;
	const length = (hasChecksum ? 9 : 7) + packet.length;
	const bits =
		(0xfff0n << 40n) |
		(hasChecksum ? 0n : 1n << 40n) |
		(BigInt(profile) << 38n) |
		(BigInt(rateIndex) << 34n) |
		(others ? 1n << 33n : 0n) |
		(BigInt(channels) << 30n) |
		(others ? 3n << 26n : 0n) |
		(BigInt(length) << 13n) |
		(0x7ffn << 2n) |
		BigInt(blocks - 1);
	const header = Buffer.from(bits.toString(16), 'hex');
	return Buffer.concat([header, Buffer.alloc(hasChecksum ? 2 : 0, 0x55), packet]);
}

const packets = Array.from({ length: 5 }, (_, index) => Buffer.alloc(10 + index, `packet${index}`));
const frames = packets.map((packet) => frame(packet));
const file = Buffer.concat(frames);

/** The track, after checking that a second reading returns its packets. */
async function scan(bytes: Buffer, expected = packets, chunkBytes?: number) {
	const track = await scanAdts(readerOf(bytes, chunkBytes));
	expect(await collect(track.readPackets(readerOf(bytes, chunkBytes)))).toEqual(expected);
	expect(track.sizes).toEqual(Uint32Array.from(expected.map(({ length }) => length)));
	expect(track.durations).toEqual([{ packets: expected.length, ticks: 1024 }]);
	return track;
}

const obstacleOf = async (bytes: Buffer) =>
	await scanAdts(readerOf(bytes)).then(
		() => 'none',
		(error: { obstacle: object }) => error.obstacle,
	);

const id3 = (flags: number, content: Buffer, footer = Buffer.alloc(0)) =>
	Buffer.concat([
		Buffer.from('ID3\u0004\u0000'),
		Buffer.from([flags, 0, 0, content.length >> 7, content.length & 127]),
		content,
		footer,
	]);

it('describes the packets', async () => {
	expect(await scan(file)).toMatchObject({
		codec: 'aac',
		config: Buffer.from([0x14, 0x08]),
		samplingRate: 16_000,
		channels: 1,
		timescale: 16_000,
	});
	for (const chunkBytes of [1, 13]) await scan(file, packets, chunkBytes);
});

it.each<[FrameOptions, config: number[], samplingRate: number, channels: number]>([
	[{ profile: 0, rateIndex: 0, channels: 2 }, [0x08, 0x10], 96_000, 2],
	[{ profile: 1, rateIndex: 12, channels: 6 }, [0x16, 0x30], 7350, 6],
	[{ profile: 3, rateIndex: 4, channels: 7 }, [0x22, 0x38], 44_100, 8],
])('%j', async (options, config, samplingRate, channels) => {
	const all = packets.map((packet) => frame(packet, options));
	expect(await scan(Buffer.concat(all))).toMatchObject({
		config: Buffer.from(config),
		samplingRate,
		channels,
	});
});

it.each<[string, Buffer, expected?: Buffer[]]>([
	['a tag in front', Buffer.concat([id3(0, Buffer.alloc(300, 0xff)), file])],
	['two tags', Buffer.concat([id3(0, Buffer.alloc(3)), id3(0, Buffer.alloc(0)), file])],
	[
		'a tag with a footer',
		Buffer.concat([id3(0x10, Buffer.alloc(30), frame(Buffer.alloc(3))), file]),
	],
	['checksums', Buffer.concat(packets.map((packet) => frame(packet, { hasChecksum: true })))],
	[
		'a checksum here and there',
		Buffer.concat([frame(packets[0]!, { hasChecksum: true }), ...frames.slice(1)]),
	],
	[
		'other bits that change',
		Buffer.concat([frame(packets[0]!, { others: true }), ...frames.slice(1)]),
	],
	['zeros in front', Buffer.concat([Buffer.alloc(100), file])],
	[
		'other bytes between',
		Buffer.concat([file.subarray(0, 17), Buffer.alloc(9, 0xff), file.subarray(17)]),
	],
	['a tag at the end', Buffer.concat([file, Buffer.alloc(128, 'TAG')])],
	['a cut off frame', file.subarray(0, -1), packets.slice(0, 4)],
	['half a header', Buffer.concat([file, frames[0]!.subarray(0, 6)])],
	[
		'a lost byte, and with it the next frame',
		Buffer.concat([file.subarray(0, 7), file.subarray(8)]),
		[Buffer.concat([packets[0]!.subarray(1), Buffer.from([0xff])]), ...packets.slice(2)],
	],
	[
		'a header of another rate in other bytes',
		Buffer.concat([
			frames[0]!,
			Buffer.alloc(3),
			frame(packets[0]!, { rateIndex: 3 }),
			...frames.slice(1),
		]),
	],
	[
		'a frame without content',
		Buffer.concat([frames[0]!, frame(Buffer.alloc(0)), ...frames.slice(1)]),
	],
])('%s', async (_case, bytes, expected = packets) => {
	await scan(bytes, expected);
});

it.each<[string, Buffer, object]>([
	['nothing', Buffer.alloc(0), { reason: 'damaged' }],
	['other bytes', Buffer.alloc(5000, 0xff), { reason: 'damaged' }],
	['a tag', id3(0, Buffer.alloc(30)), { reason: 'damaged' }],
	['half a tag', Buffer.from('ID3\u0004\u0000\u0000\u0000'), { reason: 'damaged' }],
	['17 MB without a frame', Buffer.alloc(17e6), { reason: 'damaged' }],
	['ADIF', Buffer.from('ADIF1234'), { reason: 'codec', codec: 'AAC in ADIF' }],
	[
		'another rate',
		Buffer.concat([file, frame(packets[0]!, { rateIndex: 7 })]),
		{ reason: 'codec', codec: 'AAC whose sampling rate or channels change' },
	],
	[
		'more channels',
		Buffer.concat([file, frame(packets[0]!, { channels: 2 })]),
		{ reason: 'codec', codec: 'AAC whose sampling rate or channels change' },
	],
	[
		'several packets in a frame',
		frame(packets[0]!, { blocks: 2 }),
		{ reason: 'codec', codec: 'AAC with several packets in a frame' },
	],
	[
		'channels described in the stream',
		frame(packets[0]!, { channels: 0 }),
		{ reason: 'codec', codec: 'AAC with a custom channel layout' },
	],
])('refuses %s', async (_case, bytes, obstacle) => {
	expect(await obstacleOf(bytes)).toEqual(obstacle);
});

it('more frames than fit at first', async () => {
	const many = new Array<Buffer>(3000).fill(packets[0]!);
	await scan(Buffer.concat(many.map((packet) => frame(packet))), many);
});

it.each(['adts.aac', 'id3.aac'])('%s of ffmpeg', async (name) => {
	const track = await scanAdts(readerOf(audioFile(name)));
	const all = await collect(track.readPackets(readerOf(audioFile(name))));
	const bytes = all.reduce((sum, { length }) => sum + length + 7, 0);
	const tag = name === 'id3.aac' ? audioFile(name).indexOf(Buffer.from([0xff, 0xf1])) : 0;
	expect(bytes).toBe(audioFile(name).length - tag);
});
