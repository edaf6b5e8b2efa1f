import { scanAdts } from '../../../nodes/VoiceSpeech/audio/convert/scanAdts.ts';
import { createAdtsFrame, type FrameOptions } from '../../support/media/adts.mts';
import { readAudioFile } from '../../support/media/audioFiles.mts';
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

it.each<{ options: FrameOptions; config: number[]; samplingRate: number; channels: number }>([
	{
		options: { profile: 0, rateIndex: 0, channels: 2 },
		config: [0x08, 0x10],
		samplingRate: 96_000,
		channels: 2,
	},
	{
		options: { profile: 1, rateIndex: 12, channels: 6 },
		config: [0x16, 0x30],
		samplingRate: 7350,
		channels: 6,
	},
	{
		options: { profile: 3, rateIndex: 4, channels: 7 },
		config: [0x22, 0x38],
		samplingRate: 44_100,
		channels: 8,
	},
])(
	'describes AAC in ADTS with the profile $options.profile, the rate index $options.rateIndex and $channels channels',
	async ({ options, config, samplingRate, channels }) => {
		const all = packets.map((packet) => createAdtsFrame(packet, options));
		expect(await scan(Buffer.concat(all))).toMatchObject({
			config: Buffer.from(config),
			samplingRate,
			channels,
		});
	},
);

it.each<{ what: string; bytes: Buffer; expected?: Buffer[] }>([
	{
		what: 'checksums',
		bytes: Buffer.concat(packets.map((packet) => createAdtsFrame(packet, { hasChecksum: true }))),
	},
	{
		what: 'other bits that change',
		bytes: Buffer.concat([createAdtsFrame(packets[0]!, { others: true }), ...frames.slice(1)]),
	},
	{
		what: 'zeros in front of a single frame',
		bytes: Buffer.concat([Buffer.alloc(100), frames[0]!]),
		expected: packets.slice(0, 1),
	},
	{
		what: 'other bytes between',
		bytes: Buffer.concat([file.subarray(0, 17), Buffer.alloc(9, 0xff), file.subarray(17)]),
	},
	{ what: 'megabytes of zeros at the end', bytes: Buffer.concat([file, Buffer.alloc(3_000_000)]) },
	{ what: 'a cut off frame', bytes: file.subarray(0, -1), expected: packets.slice(0, 4) },
	{
		what: 'a lost byte, and with it the next frame',
		bytes: Buffer.concat([file.subarray(0, 7), file.subarray(8)]),
		expected: [Buffer.concat([packets[0]!.subarray(1), Buffer.from([0xff])]), ...packets.slice(2)],
	},
	{
		what: 'a header of another rate in other bytes',
		bytes: Buffer.concat([
			frames[0]!,
			Buffer.alloc(3),
			createAdtsFrame(packets[0]!, { rateIndex: 3 }),
			...frames.slice(1),
		]),
	},
	{
		what: 'a frame without content',
		bytes: Buffer.concat([frames[0]!, createAdtsFrame(Buffer.alloc(0)), ...frames.slice(1)]),
	},
])('finds the packets of AAC in ADTS with $what', async ({ bytes, expected = packets }) => {
	await scan(bytes, expected);
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

it.each<{ what: string; bytes: Buffer; obstacle: object }>([
	{ what: 'other bytes', bytes: Buffer.alloc(5000, 0xff), obstacle: { kind: 'damaged' } },
	{ what: '17 MB without a frame', bytes: Buffer.alloc(17e6), obstacle: { kind: 'damaged' } },
	{
		what: 'ADIF',
		bytes: Buffer.from('ADIF1234'),
		obstacle: { kind: 'codec', codec: 'AAC in ADIF' },
	},
	{
		what: 'another rate',
		bytes: Buffer.concat([file, createFrames({ rateIndex: 7 })]),
		obstacle: { kind: 'codec', codec: 'AAC whose sampling rate or channels change' },
	},
	{
		what: 'several packets in every second frame',
		bytes: Buffer.concat([
			createFrames({ blocks: 4 }, 1),
			frames[0]!,
			createFrames({ blocks: 4 }, 1),
		]),
		obstacle: { kind: 'codec', codec: 'AAC with several packets in a frame' },
	},
	{
		what: 'long frames of another rate',
		bytes: Buffer.concat([
			file,
			...Array<Buffer>(3).fill(createAdtsFrame(Buffer.alloc(8184), { rateIndex: 7 })),
		]),
		obstacle: { kind: 'codec', codec: 'AAC whose sampling rate or channels change' },
	},
	{
		what: 'channels described in the stream',
		bytes: createAdtsFrame(packets[0]!, { channels: 0 }),
		obstacle: { kind: 'codec', codec: 'AAC with a custom channel layout' },
	},
])('rejects AAC in ADTS that contains $what', async ({ bytes, obstacle }) => {
	expect(await readObstacleIn(bytes)).toEqual(obstacle);
});

it.each(['adts.aac', 'id3.aac'])('finds the packets of %s, which ffmpeg wrote', async (name) => {
	const track = await scanAdts(createReader(readAudioFile(name)));
	const all = await collect(track.readPackets(createReader(readAudioFile(name))));
	const bytes = all.reduce((sum, { length }) => sum + length + 7, 0);
	const tag = name === 'id3.aac' ? readAudioFile(name).indexOf(Buffer.from([0xff, 0xf1])) : 0;
	expect(bytes).toBe(readAudioFile(name).length - tag);
});
