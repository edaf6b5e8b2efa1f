import { scanMatroska } from '../../../nodes/VoiceSpeech/audio/convert/matroska';
import type {
	AudioTrack,
	CopiedTrack,
	OpusTrack,
} from '../../../nodes/VoiceSpeech/audio/convert/recording';
import { audioFile } from '../../support/audioFiles';
import {
	blockContent,
	cluster,
	discardingGroup,
	element,
	matroskaFile,
	simpleBlock,
	trackEntry,
	unknownSize,
	vint,
	type TrackOptions,
} from '../../support/matroska';
import { collect, opusHead, readerOf } from '../../support/ogg';

/** A packet of 20 ms with this length. */
const packet = (bytes: number, value = 1) => Buffer.alloc(bytes, value).fill(0x08, 0, 1);

const opus = trackEntry({ codecPrivate: opusHead() });
/** AAC, 16 kHz, one channel. */
const plain = Buffer.from([0x14, 0x08]);
const aac = (codecPrivate = plain) => trackEntry({ codecId: 'A_AAC', codecPrivate, channels: 1 });

const scan = async (file: Buffer, chunkBytes?: number): Promise<AudioTrack> =>
	await scanMatroska(readerOf(file, chunkBytes));

const packetsOf = async (file: Buffer) =>
	await collect((await scan(file)).readPackets(readerOf(file)));

async function segmentOf(file: Buffer) {
	const track = (await scan(file)) as OpusTrack;
	const [{ packets, skip, length }] = track.segments as [OpusTrack['segments'][0]];
	expect(track.segments).toHaveLength(1);
	expect(await packetsOf(file)).toHaveLength(packets);
	return [packets, skip, length];
}

const obstacleOf = async (file: Buffer) =>
	await scan(file).then(
		() => 'none',
		(error: { obstacle: object }) => error.obstacle,
	);

/** A film of one kind of audio track and a block of video. */
const film = (...tracks: Buffer[]) =>
	matroskaFile(
		[trackEntry({ number: 9, type: 1, codecId: 'V_VP8' }), ...tracks],
		[cluster([simpleBlock(packet(5000), 9), simpleBlock(packet(9))])],
	);

describe('a WebM or Matroska file with Opus', () => {
	it('of a real encoder', async () => {
		const file = audioFile('opus.webm');
		expect(await segmentOf(file)).toEqual([51, 312, 48_000]);
		expect(await scan(file)).toMatchObject({ codec: 'opus', bytes: 956, bandwidth: 16_000 });
		expect(await packetsOf(file)).toEqual(await packetsOf(file));
	});

	it('is the same in chunks of any length', async () => {
		const file = audioFile('opus.webm');
		const { segments } = (await scan(file, file.length)) as OpusTrack;
		for (const length of [1, 7, 64]) expect(await scan(file, length)).toMatchObject({ segments });
	});

	it.each<[string, Buffer, segment: number[]]>([
		['with a video', film(opus), [1, 312, 648]],
		[
			'whose sizes are not known',
			matroskaFile(
				[opus],
				[
					cluster([simpleBlock(packet(9))], unknownSize),
					cluster([simpleBlock(packet(9))], unknownSize),
				],
				unknownSize,
			),
			[2, 312, 1608],
		],
		[
			'with short unknown sizes',
			matroskaFile([opus], [cluster([simpleBlock(packet(9))], Buffer.of(0xff))], Buffer.of(0xff)),
			[1, 312, 648],
		],
		[
			'with a void, cues and a large attachment',
			matroskaFile(
				[opus],
				[
					element('ec', Buffer.alloc(5000, 0xa3)),
					cluster([element('ec', Buffer.alloc(0)), simpleBlock(packet(9))]),
					element('1c53bb6b', Buffer.alloc(40, 0xa3)),
					element('1941a469', Buffer.alloc(2_000_000, 0xa3)),
					cluster([simpleBlock(packet(9))]),
				],
			),
			[2, 312, 1608],
		],
		[
			'whose last packet is not played to its end',
			matroskaFile(
				[opus],
				[cluster([simpleBlock(packet(9)), discardingGroup(packet(9), 10_000_000)])],
			),
			[2, 312, 1608 - 480],
		],
		[
			'whose last packet is hardly played',
			matroskaFile(
				[opus],
				[cluster([simpleBlock(packet(9)), discardingGroup(packet(9), 2_000_000_000)])],
			),
			[2, 312, 1608 - 960],
		],
		[
			'whose start should be dropped once more',
			matroskaFile([opus], [cluster([discardingGroup(packet(9), -10_000_000)])]),
			[1, 312, 648],
		],
		[
			'whose other packets say so too',
			matroskaFile(
				[opus],
				[cluster([discardingGroup(packet(9), 10_000_000), simpleBlock(packet(9))])],
			),
			[2, 312, 1608],
		],
		[
			'whose video says so too',
			matroskaFile(
				[opus],
				[
					cluster([
						discardingGroup(packet(9), 10_000_000),
						discardingGroup(packet(9), 15_000_000, 9),
						simpleBlock(packet(9), 9),
					]),
				],
			),
			[1, 312, 648 - 480],
		],
		[
			'that says so before the block',
			matroskaFile(
				[opus],
				[
					cluster([
						element('a0', [
							element('75a2', Buffer.from('00989680', 'hex')),
							element('a1', blockContent(packet(9))),
						]),
					]),
				],
			),
			[1, 312, 648 - 480],
		],
		[
			'that says so in an empty or too long number',
			matroskaFile(
				[opus],
				[
					cluster([
						element('a0', [
							element('a1', blockContent(packet(9))),
							element('75a2', Buffer.alloc(0)),
						]),
						element('a0', [
							element('a1', blockContent(packet(9))),
							element('75a2', Buffer.alloc(9, 1)),
						]),
						simpleBlock(packet(9), 7),
					]),
				],
			),
			[2, 312, 1608],
		],
		[
			'that is cut off in a block',
			matroskaFile([opus], [cluster([simpleBlock(packet(9)), simpleBlock(packet(9))])]).subarray(
				0,
				-1,
			),
			[1, 312, 648],
		],
		[
			'that is damaged after a block',
			Buffer.concat([
				matroskaFile([opus], [cluster([simpleBlock(packet(9))], unknownSize)], unknownSize),
				Buffer.alloc(100),
				simpleBlock(packet(9)),
			]),
			[1, 312, 648],
		],
		[
			'with less than its header drops',
			matroskaFile(
				[trackEntry({ codecPrivate: opusHead({ preSkip: 2000 }) })],
				[cluster([simpleBlock(packet(9))])],
			),
			[1, 2000, 0],
		],
		['without blocks', matroskaFile([opus], []), [0, 312, 0]],
		[
			'with a block that has no header',
			matroskaFile([opus], [cluster([element('a3', Buffer.of(0x81, 0))])]),
			[0, 312, 0],
		],
	])('%s', async (_case, file, segment) => {
		expect(await segmentOf(file)).toEqual(segment);
	});

	it('finds the first track that can be converted', async () => {
		const ac3 = trackEntry({ number: 2, codecId: 'A_AC3' });
		const second = trackEntry({ number: 3, codecPrivate: opusHead({ preSkip: 7 }) });
		const third = trackEntry({ number: 4, codecPrivate: opusHead() });
		const file = matroskaFile(
			[ac3, second, third],
			[cluster([2, 4, 3].map((number) => simpleBlock(packet(number * 10), number)))],
		);
		expect(await segmentOf(file)).toEqual([1, 7, 953]);
		expect(await packetsOf(file)).toEqual([packet(30)]);
	});

	it('takes a track number of two bytes', async () => {
		const entry = trackEntry({ number: 200, codecPrivate: opusHead() });
		const block = element('a3', Buffer.concat([vint(200, 2), Buffer.alloc(3), packet(9)]));
		expect(await packetsOf(matroskaFile([entry], [cluster([block])]))).toEqual([packet(9)]);
	});
});

describe('several packets in a block', () => {
	const frames = [packet(300, 2), packet(40, 3), packet(40, 4), packet(600, 5)];
	const [, , same, last] = frames;

	it.each<[string, flags: number, lacing: number[], packets: Buffer[]]>([
		['Xiph', 0x02, [3, 255, 45, 40, 40], frames],
		['Xiph, with 255 bytes', 0x02, [1, 255, 0], [packet(255), same!]],
		// 300 in two bytes, then differences: -260 in two bytes, 0 in one.
		['EBML', 0x06, [3, 0x41, 0x2c, 0x5e, 0xfb, 0xbf], frames],
		['equal', 0x04, [2], [packet(40, 2), packet(40, 3), same!]],
		['one', 0x02, [0], [last!]],
	])('%s lacing', async (_case, flags, lacing, packets) => {
		const block = simpleBlock(Buffer.concat([Buffer.from(lacing), ...packets]), 1, flags);
		const file = matroskaFile([opus], [cluster([block])]);
		expect(await packetsOf(file)).toEqual(packets);
	});

	it.each<[string, flags: number, content: number[]]>([
		['Xiph: too long', 0x02, [1, 50, 8, 8]],
		['Xiph: no end', 0x02, [2, 255, 255]],
		['EBML: too long', 0x06, [1, 0xb2, 8, 8]],
		['EBML: a negative length', 0x06, [2, 0x82, 0x80, 8, 8, 8, 8]],
		['EBML: no length', 0x06, [1]],
		['EBML: an invalid number', 0x06, [1, 0, 8, 8, 8, 8, 8, 8, 8, 8]],
		['equal: a rest', 0x04, [1, 8, 8, 8]],
		['nothing', 0x02, []],
	])('that are damaged are dropped (%s)', async (_case, flags, content) => {
		const block = simpleBlock(Buffer.from(content), 1, flags);
		const file = matroskaFile([opus], [cluster([block, simpleBlock(packet(9))])]);
		expect(await packetsOf(file)).toEqual([packet(9)]);
	});
});

describe('a Matroska file with AAC', () => {
	const aacFile = (config: Buffer, blocks: Buffer[]) =>
		matroskaFile([aac(config)], [cluster(blocks)]);
	const blocks = [simpleBlock(packet(30)), simpleBlock(packet(40))];

	it.each<[string, config: string, samplingRate: number, ticks: number]>([
		['AAC', '1408', 16_000, 1024],
		['960 samples in a packet', '140c', 16_000, 960],
		// 5 bits 5 (SBR), 4 bits 8 (16 kHz), 4 bits 1, 4 bits 5 (32 kHz), 5 bits 2
		['HE-AAC', '2c0a8800', 16_000, 1024],
		// The same, but 960 samples.
		['HE-AAC with 960 samples', '2c0a8a00', 16_000, 960],
		// 5 bits 2, 4 bits 15, 24 bits 12345, 4 bits 1
		['an explicit rate', '1780181c88', 12_345, 1024],
		// 5 bits 31, 6 bits 10 (42: xHE-AAC), 4 bits 3 (48 kHz), 4 bits 1
		['a long object type', 'f9462000', 48_000, 1024],
	])('with %s', async (_case, config, samplingRate, ticks) => {
		const file = aacFile(Buffer.from(config, 'hex'), blocks);
		expect(await scan(file)).toEqual({
			readPackets: expect.any(Function) as unknown,
			codec: 'aac',
			config: Buffer.from(config, 'hex'),
			samplingRate,
			channels: 1,
			timescale: samplingRate,
			sizes: Uint32Array.of(30, 40),
			durations: [{ packets: 2, ticks }],
		});
		expect(await packetsOf(file)).toEqual([packet(30), packet(40)]);
	});

	it('whose last packet is not played to its end', async () => {
		const file = aacFile(plain, [...blocks, discardingGroup(packet(50), 20_000_000)]);
		expect(await scan(file)).toMatchObject({ edit: { skip: 0, length: 3 * 1024 - 320 } });
	});

	it('has many packets', async () => {
		const lengths = Array.from({ length: 3000 }, (_, index) => 1 + (index % 100));
		const file = aacFile(
			plain,
			lengths.map((length) => simpleBlock(packet(length))),
		);
		expect([...((await scan(file)) as CopiedTrack).sizes]).toEqual(lengths);
	});

	it('is damaged with a rate that does not exist', async () => {
		expect(await obstacleOf(aacFile(Buffer.from('1688', 'hex'), blocks))).toEqual({
			reason: 'damaged',
		});
	});
});

describe('a Matroska file is refused', () => {
	const codec = (name: string) => ({ reason: 'codec', codec: name });
	const encoded = [element('6d80', Buffer.alloc(2))];

	it.each<[TrackOptions, name: string]>([
		[{ codecId: 'A_VORBIS' }, 'Vorbis'],
		[{ codecId: 'A_AC3' }, 'AC-3'],
		[{ codecId: 'A_EAC3' }, 'E-AC-3'],
		[{ codecId: 'A_PCM/INT/LIT' }, 'PCM'],
		[{ codecId: 'A_MPEG/L3\0' }, 'MP3'],
		[{ codecId: 'A_FLAC' }, 'FLAC'],
		[{ codecId: 'A_SOMETHING' }, 'SOMETHING'],
		[{ codecId: 'A_AAC/MPEG4/LC' }, 'AAC in an old or encrypted form'],
		[{ codecId: 'A_AAC' }, 'AAC in an old or encrypted form'],
		[
			{ codecId: 'A_OPUS', codecPrivate: opusHead(), more: encoded },
			'Opus, compressed or encrypted',
		],
		[{ codecPrivate: opusHead({ channels: 6 }) }, 'Opus with more than two channels'],
	])('with %j', async (options, name) => {
		expect(await obstacleOf(film(trackEntry(options)))).toEqual(codec(name));
	});

	const tooLarge = Buffer.concat([Buffer.of(0xa3), vint(5_000_000, 5), Buffer.of(0x81, 0, 0, 0)]);

	it.each<[string, Buffer, obstacle: object]>([
		['a real Vorbis file', audioFile('vorbis.mka'), codec('Vorbis')],
		['a film without sound', film(), { reason: 'noAudio' }],
		['no tracks', matroskaFile([], [cluster([simpleBlock(packet(9))])]), { reason: 'damaged' }],
		['no tracks and no blocks', matroskaFile([], []), { reason: 'damaged' }],
		['no header of Opus', film(trackEntry()), { reason: 'damaged' }],
		['no bytes', Buffer.alloc(0), { reason: 'damaged' }],
		['nothing but zeros', Buffer.alloc(1000), { reason: 'damaged' }],
		[
			'a track whose size is not known',
			matroskaFile([element('ae', Buffer.alloc(9), unknownSize)], []),
			{ reason: 'damaged' },
		],
		[
			'a block of 5 MB',
			matroskaFile([opus], [cluster([tooLarge], unknownSize)], unknownSize),
			{ reason: 'damaged' },
		],
	])('with %s', async (_case, file, obstacle) => {
		expect(await obstacleOf(file)).toEqual(obstacle);
	});
});
