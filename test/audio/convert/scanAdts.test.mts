import { scanAdts } from '../../../nodes/VoiceSpeech/audio/convert/scanAdts.ts';
import { createAdtsFrame, type FrameOptions } from '../../support/media/adts.mts';
import { collect, createReader, readObstacle } from '../../support/media/conversion.mts';

const packets = Array.from({ length: 5 }, (_, index) => Buffer.alloc(10 + index, `packet${index}`));
const frames = packets.map((packet) => createAdtsFrame(packet));
const file = Buffer.concat(frames);

/** Frames whose headers differ from those of the file. */
const createFrames = (options: FrameOptions, count = 3) =>
	Buffer.concat(packets.slice(0, count).map((packet) => createAdtsFrame(packet, options)));

/** The file, after changing bits of the header of one frame. */
function damageHeader(index: number, byte: number, bits: number): Buffer {
	const damaged = Buffer.from(file);
	const start = frames.slice(0, index).reduce((sum, { length }) => sum + length, 0);
	damaged[start + byte]! ^= bits;
	return damaged;
}

/** The track, after checking that a second reading returns its packets. */
async function scan(bytes: Buffer, expected = packets, chunkBytes?: number) {
	const track = await scanAdts(createReader(bytes, chunkBytes));
	const found = await collect(track.readPackets(createReader(bytes, chunkBytes)));
	expect(found.map(({ length }) => length)).toEqual(expected.map(({ length }) => length));
	expect(Buffer.concat(found).equals(Buffer.concat(expected))).toBe(true);
	expect(track.sizes).toEqual(Uint32Array.from(expected.map(({ length }) => length)));
	expect(track.durations).toEqual(Uint32Array.of(expected.length, 1024));
	return track;
}

const readObstacleIn = async (bytes: Buffer) => await readObstacle(scanAdts(createReader(bytes)));

it('describes the packets of AAC in ADTS', async () => {
	expect(await scan(file)).toMatchObject({
		codec: 'aac',
		config: Buffer.from([0x14, 0x08]),
		samplingRate: 16_000,
		channels: 1,
		timescale: 16_000,
	});
	for (const chunkBytes of [1, 13]) await scan(file, packets, chunkBytes);
});

it.each<[options: FrameOptions, config: number[], samplingRate: number, channels: number]>([
	[{ profile: 0, rateIndex: 0, channels: 2 }, [0x08, 0x10], 96_000, 2],
	[{ profile: 1, rateIndex: 12, channels: 6 }, [0x16, 0x30], 7350, 6],
	[{ profile: 3, rateIndex: 4, channels: 7 }, [0x22, 0x38], 44_100, 8],
])('describes AAC in ADTS with %j', async (options, config, samplingRate, channels) => {
	const all = packets.map((packet) => createAdtsFrame(packet, options));
	const expected = { config: Buffer.from(config), samplingRate, channels };
	expect(await scan(Buffer.concat(all))).toMatchObject(expected);
});

const [first, ...rest] = frames as [Buffer, ...Buffer[]];
const checked = packets.map((packet) => createAdtsFrame(packet, { hasChecksum: true }));
const otherBits = createAdtsFrame(packets[0]!, { others: true });
const otherRate = createAdtsFrame(packets[0]!, { rateIndex: 3 });
const withRest = Buffer.concat([packets[0]!.subarray(1), Buffer.from([0xff])]);

it.each<[what: string, expected: Buffer[], ...parts: Buffer[]]>([
	['checksums', packets, ...checked],
	['other bits that change', packets, otherBits, ...rest],
	['zeros in front of a single frame', packets.slice(0, 1), Buffer.alloc(100), first],
	['other bytes between', packets, first, Buffer.alloc(9, 0xff), ...rest],
	['megabytes of zeros at the end', packets, file, Buffer.alloc(3_000_000)],
	['a cut off frame', packets.slice(0, 4), file.subarray(0, -1)],
	['a lost byte', [withRest, ...packets.slice(2)], file.subarray(0, 7), file.subarray(8)],
	['a header of another rate', packets, first, Buffer.alloc(3), otherRate, ...rest],
	['a frame without content', packets, first, createAdtsFrame(Buffer.alloc(0)), ...rest],
])('finds the packets of AAC in ADTS with %s', async (_, expected, ...parts) => {
	await scan(Buffer.concat(parts), expected);
});

it.each([0, 2, 4])('drops only frame %i of AAC in ADTS if its header is damaged', async (index) => {
	const expected = packets.filter((_, other) => other !== index);
	const blocks = { byte: 6, bits: 1 };
	const channels = { byte: 2, bits: 1 };
	const rate = { byte: 2, bits: 4 };
	const profile = { byte: 2, bits: 0x40 };
	for (const { byte, bits } of [blocks, channels, rate, profile]) {
		for (const chunkBytes of [undefined, 1]) {
			await scan(damageHeader(index, byte, bits), expected, chunkBytes);
		}
	}
});

it.each<{ what: string; options: FrameOptions }>([
	{ what: 'of another rate', options: { rateIndex: 7 } },
	{ what: 'with several packets', options: { blocks: 2 } },
])('drops a single frame $what at the end of AAC in ADTS', async ({ options }) => {
	await scan(Buffer.concat([file, createFrames(options, 1)]));
});

const severalPackets = createFrames({ blocks: 4 }, 1);
const longFrame = createAdtsFrame(Buffer.alloc(8184), { rateIndex: 7 });
const changing = 'AAC whose sampling rate or channels change';

it.each<[codec: string, ...parts: Buffer[]]>([
	['AAC in ADIF', Buffer.from('ADIF1234')],
	[changing, file, createFrames({ rateIndex: 7 })],
	[changing, file, longFrame, longFrame, longFrame],
	['AAC with several packets in a frame', severalPackets, first, severalPackets],
	['AAC with a custom channel layout', createAdtsFrame(packets[0]!, { channels: 0 })],
])('rejects %s in ADTS', async (codec, ...parts) => {
	expect(await readObstacleIn(Buffer.concat(parts))).toEqual({ kind: 'codec', codec });
});

it('rejects other bytes, and 17 MB without a frame, as damaged', async () => {
	for (const bytes of [Buffer.alloc(5000, 0xff), Buffer.alloc(17e6)]) {
		expect(await readObstacleIn(bytes)).toEqual({ kind: 'damaged' });
	}
});
