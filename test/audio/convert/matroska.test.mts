import { scanMatroska } from '../../../nodes/VoiceSpeech/audio/convert/matroska/scanMatroska.ts';
import type {
	AudioTrack,
	ConvertibleTrack,
	OpusTrack,
} from '../../../nodes/VoiceSpeech/audio/convert/track.ts';
import { readAudioFile } from '../../support/media/audioFiles.mts';
import {
	createBlockContent,
	createCluster,
	createDiscardingGroup,
	createElement,
	createMatroskaFile,
	createSimpleBlock,
	createTrackEntry,
	createUnsignedElement,
	unknownSize,
	createVint,
	type TrackOptions,
} from '../../support/media/matroska.mts';
import { collect, createReader, readObstacle, scanBytes } from '../../support/media/conversion.mts';
import { createOpusHead, tone } from '../../support/media/ogg.mts';

/** A packet of 20 ms with this length. */
const createPacket = (bytes: number, value = 1) => Buffer.alloc(bytes, value).fill(0x08, 0, 1);

const opus = createTrackEntry({ codecPrivate: createOpusHead() });
/** AAC, 16 kHz, one channel. */
const plain = Buffer.from([0x14, 0x08]);
const createAacTrack = (codecPrivate = plain) =>
	createTrackEntry({ codecId: 'A_AAC', codecPrivate, channels: 1 });

const scan = async (file: Buffer, chunkBytes?: number): Promise<AudioTrack> =>
	await scanBytes(scanMatroska, file, chunkBytes);

const convertPackets = async (file: Buffer) =>
	await collect(((await scan(file)) as ConvertibleTrack).readPackets(createReader(file)));

type Link = Pick<OpusTrack['links'][0], 'packetCount' | 'skippedSamples' | 'playedSamples'>;

async function readLink(file: Buffer): Promise<Link> {
	const track = (await scan(file)) as OpusTrack;
	const [{ packetCount, skippedSamples, playedSamples }] = track.links as [OpusTrack['links'][0]];
	expect(track.links).toHaveLength(1);
	expect(await convertPackets(file)).toHaveLength(packetCount);
	return { packetCount, skippedSamples, playedSamples };
}

/** Flags of a track (RFC 9559, 5.1.4.1), which are 1 where they are missing. */
interface Flags {
	isDefault?: number;
	isEnabled?: number;
	/** Whether both flags are there, without a value. */
	hasEmptyFlags?: boolean;
}

function createFlaggedTrack(number: number, flags: Flags, options: TrackOptions = {}): Buffer {
	const more: Buffer[] = [];
	if (flags.isDefault !== undefined) more.push(createUnsignedElement('88', flags.isDefault));
	if (flags.isEnabled !== undefined) more.push(createUnsignedElement('b9', flags.isEnabled));
	if (flags.hasEmptyFlags === true) {
		more.push(createElement('88', Buffer.alloc(0)), createElement('b9', Buffer.alloc(0)));
	}
	return createTrackEntry({ number, codecPrivate: createOpusHead(), more, ...options });
}

/** A cluster with one packet of 20 ms. */
const cluster = createCluster([createSimpleBlock(createPacket(9))]);

/** A group with a packet of one byte, and its duration. */
const smallGroup = createElement('a0', [
	createElement('a1', createBlockContent(createPacket(1), 1, 0)),
	createUnsignedElement('9b', 20),
]);

const readObstacleIn = async (file: Buffer) => await readObstacle(scan(file));

/** A video with these tracks of audio. */
const createVideo = (...tracks: Buffer[]) =>
	createMatroskaFile(
		[createTrackEntry({ number: 9, type: 1, codecId: 'V_VP8' }), ...tracks],
		[createCluster([createSimpleBlock(createPacket(5000), 9), createSimpleBlock(createPacket(9))])],
	);

describe('reading Opus from WebM or Matroska', () => {
	it('finds the packets of a real encoder', async () => {
		const file = readAudioFile('opus.webm');
		expect(await readLink(file)).toEqual({
			packetCount: 51,
			skippedSamples: 312,
			playedSamples: 48_000,
		});
		expect(await scan(file)).toMatchObject({ kind: 'opus', packetBytes: 956 });
		expect(await convertPackets(file)).toEqual(tone);
	});

	it('finds the same packets in chunks of any length', async () => {
		const file = readAudioFile('opus.webm');
		const { links } = (await scan(file, file.length)) as OpusTrack;
		for (const length of [1, 7, 64]) expect(await scan(file, length)).toMatchObject({ links });
	});

	it.each<{ what: string; file: Buffer; link: Link }>([
		{
			what: 'whose sizes are not known',
			file: createMatroskaFile(
				[opus],
				[
					createCluster([createSimpleBlock(createPacket(9))], unknownSize),
					createCluster([createSimpleBlock(createPacket(9))], unknownSize),
				],
				unknownSize,
			),
			link: { packetCount: 2, skippedSamples: 312, playedSamples: 1608 },
		},
		{
			what: 'with a void, cues and a large attachment',
			file: createMatroskaFile(
				[opus],
				[
					createElement('ec', Buffer.alloc(5000, 0xa3)),
					createCluster([createElement('ec', Buffer.alloc(0)), createSimpleBlock(createPacket(9))]),
					createElement('1c53bb6b', Buffer.alloc(40, 0xa3)),
					createElement('1941a469', Buffer.alloc(2_000_000, 0xa3)),
					createCluster([createSimpleBlock(createPacket(9))]),
				],
			),
			link: { packetCount: 2, skippedSamples: 312, playedSamples: 1608 },
		},
		{
			what: 'with damage that looks like a long track, after its first block',
			file: createMatroskaFile(
				[opus],
				[
					cluster,
					createElement('1654ae6b', createElement('ae', Buffer.alloc(1024 * 1024 + 1))),
					cluster,
				],
			),
			link: { packetCount: 2, skippedSamples: 312, playedSamples: 1608 },
		},
		{
			what: 'whose last packet is not played to its end',
			file: createMatroskaFile(
				[opus],
				[
					createCluster([
						createSimpleBlock(createPacket(9)),
						createDiscardingGroup(createPacket(9), 10_000_000),
					]),
				],
			),
			link: { packetCount: 2, skippedSamples: 312, playedSamples: 1608 - 480 },
		},
		{
			what: 'with DiscardPadding for its start',
			file: createMatroskaFile(
				[opus],
				[createCluster([createDiscardingGroup(createPacket(9), -10_000_000)])],
			),
			link: { packetCount: 1, skippedSamples: 312, playedSamples: 648 },
		},
		{
			what: 'with DiscardPadding in front of the last packet',
			file: createMatroskaFile(
				[opus],
				[
					createCluster([
						createDiscardingGroup(createPacket(9), 10_000_000),
						createSimpleBlock(createPacket(9)),
					]),
				],
			),
			link: { packetCount: 2, skippedSamples: 312, playedSamples: 1608 },
		},
		{
			what: 'with DiscardPadding of the video too',
			file: createMatroskaFile(
				[opus],
				[
					createCluster([
						createDiscardingGroup(createPacket(9), 10_000_000),
						createDiscardingGroup(createPacket(9), 15_000_000, 9),
						createSimpleBlock(createPacket(9), 9),
					]),
				],
			),
			link: { packetCount: 1, skippedSamples: 312, playedSamples: 648 - 480 },
		},
		{
			what: 'with DiscardPadding in front of its block',
			file: createMatroskaFile(
				[opus],
				[
					createCluster([
						createElement('a0', [
							createElement('75a2', Buffer.from('00989680', 'hex')),
							createElement('a1', createBlockContent(createPacket(9))),
						]),
					]),
				],
			),
			link: { packetCount: 1, skippedSamples: 312, playedSamples: 648 - 480 },
		},
		{
			what: 'that is damaged after a block',
			file: Buffer.concat([
				createMatroskaFile(
					[opus],
					[createCluster([createSimpleBlock(createPacket(9))], unknownSize)],
					unknownSize,
				),
				Buffer.alloc(100),
				createSimpleBlock(createPacket(9)),
			]),
			link: { packetCount: 1, skippedSamples: 312, playedSamples: 648 },
		},
		{
			what: 'with many other bytes between its clusters',
			file: createMatroskaFile([opus], [cluster, Buffer.alloc(5000, 0xff), cluster]),
			link: { packetCount: 2, skippedSamples: 312, playedSamples: 1608 },
		},
		{
			what: 'with an element that does not end in its cluster',
			file: createMatroskaFile(
				[opus],
				[
					createCluster([
						createSimpleBlock(createPacket(9)),
						createElement('ec', [], createVint(9_999_999)),
					]),
					cluster,
				],
			),
			link: { packetCount: 2, skippedSamples: 312, playedSamples: 1608 },
		},
		{
			what: 'whose cluster seems to contain the next one',
			file: createMatroskaFile(
				[opus],
				[createCluster([createSimpleBlock(createPacket(9))], createVint(9_999_999)), cluster],
			),
			link: { packetCount: 2, skippedSamples: 312, playedSamples: 1608 },
		},
		{
			what: 'with a block of 5 MB, which is damage',
			file: createMatroskaFile(
				[opus],
				[createCluster([createSimpleBlock(Buffer.alloc(5_000_000))]), cluster],
			),
			link: { packetCount: 1, skippedSamples: 312, playedSamples: 648 },
		},
		{
			what: 'with less than its header drops',
			file: createMatroskaFile(
				[createTrackEntry({ codecPrivate: createOpusHead({ preSkip: 2000 }) })],
				[createCluster([createSimpleBlock(createPacket(9))])],
			),
			link: { packetCount: 1, skippedSamples: 2000, playedSamples: 0 },
		},
		{
			what: 'whose tracks follow the clusters',
			file: createMatroskaFile([], [cluster, cluster, createElement('1654ae6b', [opus])]),
			link: { packetCount: 2, skippedSamples: 312, playedSamples: 1608 },
		},
		{
			what: 'whose tracks are between the clusters',
			file: createMatroskaFile(
				[],
				[
					createCluster([createDiscardingGroup(createPacket(9), 10_000_000)]),
					createElement('1654ae6b', [createTrackEntry({ number: 9, type: 1 }), opus]),
					cluster,
				],
				unknownSize,
			),
			link: { packetCount: 2, skippedSamples: 312, playedSamples: 1608 },
		},
		{
			what: 'without a header of Opus',
			file: createVideo(createTrackEntry()),
			link: { packetCount: 1, skippedSamples: 0, playedSamples: 960 },
		},
		{
			what: 'without a header of Opus, but with a delay',
			file: createVideo(
				createTrackEntry({ more: [createElement('56aa', Buffer.from('632ea0', 'hex'))] }),
			),
			link: { packetCount: 1, skippedSamples: 312, playedSamples: 648 },
		},
		{
			what: 'whose blocks could not be smaller',
			file: createMatroskaFile([opus], [createCluster(new Array<Buffer>(50_000).fill(smallGroup))]),
			link: { packetCount: 50_000, skippedSamples: 312, playedSamples: 50_000 * 960 - 312 },
		},
	])('finds the packets of a file $what', async ({ file, link }) => {
		expect(await readLink(file)).toEqual(link);
	});

	it.each(['e7', 'ae', 'a3'])(
		'finds the next cluster after a damaged element %s in a cluster of unknown size',
		async (id) => {
			const unsizedCluster = createCluster([createSimpleBlock(createPacket(9))], unknownSize);
			const damagedCluster = createCluster(
				[createElement(id, [], createVint(9_999_999))],
				unknownSize,
			);
			const clusters = [unsizedCluster, damagedCluster, unsizedCluster];
			const file = createMatroskaFile([opus], clusters, unknownSize);
			expect(await readLink(file)).toEqual({
				packetCount: 2,
				skippedSamples: 312,
				playedSamples: 1608,
			});
		},
	);

	it('finds the first track that can be converted', async () => {
		const ac3 = createTrackEntry({ number: 2, codecId: 'A_AC3' });
		const second = createTrackEntry({ number: 3, codecPrivate: createOpusHead({ preSkip: 7 }) });
		const third = createTrackEntry({ number: 4, codecPrivate: createOpusHead() });
		const file = createMatroskaFile(
			[ac3, second, third],
			[
				createCluster(
					[2, 4, 3].map((number) => createSimpleBlock(createPacket(number * 10), number)),
				),
			],
		);
		expect(await readLink(file)).toEqual({ packetCount: 1, skippedSamples: 7, playedSamples: 953 });
		expect(await convertPackets(file)).toEqual([createPacket(30)]);
	});

	it.each<{ what: string; flags: Flags[]; chosen: number }>([
		{ what: 'that is marked as the default', flags: [{ isDefault: 0 }, {}, {}], chosen: 2 },
		{ what: 'that is enabled', flags: [{ isEnabled: 0 }, { isDefault: 1 }], chosen: 2 },
		{ what: 'if none is the default', flags: [{ isDefault: 0 }, { isDefault: 0 }], chosen: 1 },
		{
			what: 'that is enabled if the default one is not',
			flags: [{ isEnabled: 0 }, { isDefault: 0 }],
			chosen: 2,
		},
	])('finds the first track $what', async ({ flags, chosen }) => {
		const tracks = flags.map((track, index) => createFlaggedTrack(index + 1, track));
		const blocks = flags.map((_, index) => createSimpleBlock(createPacket(index + 1), index + 1));
		const file = createMatroskaFile(tracks, [createCluster(blocks)]);
		expect(await convertPackets(file)).toEqual([createPacket(chosen)]);
	});

	it('reads a track number of two bytes', async () => {
		const entry = createTrackEntry({ number: 200, codecPrivate: createOpusHead() });
		const block = createElement(
			'a3',
			Buffer.concat([createVint(200, 2), Buffer.alloc(3), createPacket(9)]),
		);
		expect(await convertPackets(createMatroskaFile([entry], [createCluster([block])]))).toEqual([
			createPacket(9),
		]);
	});
});

describe('the packets of a block with lacing', () => {
	const frames = [
		createPacket(300, 2),
		createPacket(40, 3),
		createPacket(40, 4),
		createPacket(600, 5),
	];
	const [, , same] = frames;

	it.each<{ what: string; flags: number; lacing: number[]; packets: Buffer[] }>([
		{ what: 'Xiph lacing', flags: 0x02, lacing: [3, 255, 45, 40, 40], packets: frames },
		{
			what: 'Xiph lacing and a packet of 255 bytes',
			flags: 0x02,
			lacing: [1, 255, 0],
			packets: [createPacket(255), same!],
		},
		// 300 in two bytes, then differences: -260 in two bytes, 0 in one.
		{
			what: 'EBML lacing',
			flags: 0x06,
			lacing: [3, 0x41, 0x2c, 0x5e, 0xfb, 0xbf],
			packets: frames,
		},
		{
			what: 'lacing of equal lengths',
			flags: 0x04,
			lacing: [2],
			packets: [createPacket(40, 2), createPacket(40, 3), same!],
		},
	])('are found with $what', async ({ flags, lacing, packets }) => {
		const block = createSimpleBlock(Buffer.concat([Buffer.from(lacing), ...packets]), 1, flags);
		const file = createMatroskaFile([opus], [createCluster([block])]);
		expect(await convertPackets(file)).toEqual(packets);
	});

	it.each<{ what: string; flags: number; content: number[] }>([
		{ what: 'Xiph: no end', flags: 0x02, content: [2, 255, 255] },
		{ what: 'EBML: too long', flags: 0x06, content: [1, 0xb2, 8, 8] },
		{ what: 'EBML: a negative length', flags: 0x06, content: [2, 0x82, 0x80, 8, 8, 8, 8] },
		{ what: 'EBML: an invalid number', flags: 0x06, content: [1, 0, 8, 8, 8, 8, 8, 8, 8, 8] },
		{ what: 'equal: a rest', flags: 0x04, content: [1, 8, 8, 8] },
	])('are dropped if they are damaged ($what)', async ({ flags, content }) => {
		const block = createSimpleBlock(Buffer.from(content), 1, flags);
		const file = createMatroskaFile(
			[opus],
			[createCluster([block, createSimpleBlock(createPacket(9))])],
		);
		expect(await convertPackets(file)).toEqual([createPacket(9)]);
	});
});

describe('reading AAC from Matroska', () => {
	const createAacFile = (config: Buffer, blocks: Buffer[]) =>
		createMatroskaFile([createAacTrack(config)], [createCluster(blocks)]);
	const blocks = [createSimpleBlock(createPacket(30)), createSimpleBlock(createPacket(40))];

	it.each<{ what: string; config: string; samplingRate: number; ticks: number }>([
		{ what: 'AAC LC', config: '1408', samplingRate: 16_000, ticks: 1024 },
		{ what: '960 samples in a packet', config: '140c', samplingRate: 16_000, ticks: 960 },
		// 5 bits 5 (SBR), 4 bits 8 (16 kHz), 4 bits 1, 4 bits 5 (32 kHz), 5 bits 2
		// The same, but 960 samples.
		{ what: 'HE-AAC with 960 samples', config: '2c0a8a00', samplingRate: 16_000, ticks: 960 },
		// 5 bits 2, 4 bits 15, 24 bits 12345, 4 bits 1
		{ what: 'an explicit rate', config: '1780181c88', samplingRate: 12_345, ticks: 1024 },
		// 5 bits 31, 6 bits 10 (42: xHE-AAC), 4 bits 3 (48 kHz), 4 bits 1
		{ what: 'a long object type', config: 'f9462000', samplingRate: 48_000, ticks: 1024 },
	])('finds the packets of a track with $what', async ({ config, samplingRate, ticks }) => {
		const file = createAacFile(Buffer.from(config, 'hex'), blocks);
		expect(await scan(file)).toEqual({
			readPackets: expect.any(Function) as unknown,
			kind: 'copied',
			codec: 'aac',
			config: Buffer.from(config, 'hex'),
			samplingRate,
			channels: 1,
			timescale: samplingRate,
			sizes: Uint32Array.of(30, 40),
			packetBytes: 70,
			largestPacket: 40,
			durations: Uint32Array.of(2, ticks),
			totalTicks: 2 * ticks,
		});
		expect(await convertPackets(file)).toEqual([createPacket(30), createPacket(40)]);
	});

	it('finds the packets if the last one is not played to its end', async () => {
		const file = createAacFile(plain, [
			...blocks,
			createDiscardingGroup(createPacket(50), 20_000_000),
		]);
		expect(await scan(file)).toMatchObject({
			playedParts: [{ skippedTicks: 0, playedTicks: 3 * 1024 - 320 }],
		});
	});

	it('reports a rate that does not exist as damage', async () => {
		expect(await readObstacleIn(createAacFile(Buffer.from('1688', 'hex'), blocks))).toEqual({
			kind: 'damaged',
		});
	});

	it('reports more channels than M4A can have as damage', async () => {
		const channels = createElement('e1', createElement('9f', Buffer.from('011170', 'hex')));
		const entry = createTrackEntry({ codecId: 'A_AAC', codecPrivate: plain, more: [channels] });
		const file = createMatroskaFile([entry], [createCluster(blocks)]);
		expect(await readObstacleIn(file)).toEqual({ kind: 'damaged' });
	});
});

describe('a Matroska file', () => {
	const createCodecObstacle = (name: string) => ({ kind: 'codec', codec: name });
	const encoded = [createElement('6d80', Buffer.alloc(2))];
	/** @param format in hexadecimal, a WAVEFORMATEX */
	const createWaveOptions = (format: string): TrackOptions => ({
		codecId: 'A_MS/ACM',
		codecPrivate: Buffer.from(format, 'hex'),
	});

	it.each<{ options: TrackOptions; name: string }>([
		{ options: { codecId: 'A_VORBIS' }, name: 'Vorbis' },
		{ options: { codecId: 'A_AC3' }, name: 'AC-3' },
		{ options: { codecId: 'A_EAC3' }, name: 'E-AC-3' },
		{ options: { codecId: 'A_PCM/INT/LIT' }, name: 'PCM' },
		{ options: { codecId: 'A_MPEG/L3\0' }, name: 'MP3' },
		{ options: { codecId: 'A_FLAC' }, name: 'FLAC' },
		{ options: { codecId: 'A_SOMETHING' }, name: 'SOMETHING' },
		{ options: createWaveOptions('0700'), name: 'G.711' },
		{ options: createWaveOptions('0200'), name: 'Microsoft ADPCM' },
		{ options: createWaveOptions('3100'), name: 'GSM' },
		{ options: createWaveOptions(`feff${'00'.repeat(22)}1100`), name: 'IMA ADPCM' },
		{ options: createWaveOptions('3412'), name: 'of the WAVE format 0x1234' },
		{ options: createWaveOptions('07'), name: 'unknown' },
		{
			options: { codecId: 'A_QUICKTIME', codecPrivate: Buffer.from('\0\0\0$ima4') },
			name: 'IMA ADPCM',
		},
		{ options: { codecId: 'A_QUICKTIME/QDM2' }, name: 'QDesign Music' },
		{ options: { codecId: 'A_AAC', codecPrivate: Buffer.from('f8800000', 'hex') }, name: 'ALS' },
		{
			options: {
				more: [createElement('e1', createUnsignedElement('9f', 3))],
			},
			name: 'Opus with more than two channels',
		},
		{ options: { codecId: 'A_AAC/MPEG4/LC' }, name: 'AAC in an old or encrypted form' },
		{ options: { codecId: 'A_AAC' }, name: 'AAC in an old or encrypted form' },
		{
			options: { codecId: 'A_OPUS', codecPrivate: createOpusHead(), more: encoded },
			name: 'Opus, compressed or encrypted',
		},
		{
			options: { codecId: 'A_OPUS', codecPrivate: createOpusHead({ channels: 6 }) },
			name: 'Opus with more than two channels',
		},
	])('is rejected because its track $options.codecId is $name', async ({ options, name }) => {
		expect(await readObstacleIn(createVideo(createTrackEntry(options)))).toEqual(
			createCodecObstacle(name),
		);
	});

	it('is too long if it has more than 5,000,000 packets', async () => {
		const count = 250;
		// Packets of one byte, with lacing of equal lengths.
		const block = createSimpleBlock(
			Buffer.concat([Buffer.of(count - 1), Buffer.alloc(count)]),
			1,
			4,
		);
		const createFile = (blocks: number) => {
			const content = Buffer.alloc(blocks * block.length, block);
			return createMatroskaFile([opus], [createCluster([content])]);
		};
		expect(await readLink(createFile(20_000))).toMatchObject({ packetCount: 5_000_000 });
		expect(await readObstacleIn(createFile(20_001))).toEqual({ kind: 'tooManyPackets' });
	});

	it.each(['ec80', 'a380', 'a080'])(
		'is rejected after a few of millions of elements %s',
		async (id) => {
			const elements = Buffer.alloc(4_000_000, id, 'hex');
			const file = createMatroskaFile([opus], [createCluster([elements])]);
			const reader = createReader(file);
			const readAgain = async () => await Promise.reject(new Error('It is not read again'));
			await expect(scanMatroska(reader, readAgain)).rejects.toMatchObject({
				obstacle: { kind: 'damaged' },
			});
			expect(reader.position).toBeLessThan(1_000_000);
		},
	);

	it('is rejected if the default track is not converted, but another one could be', async () => {
		const ac3 = createTrackEntry({ codecId: 'A_AC3' });
		const other = createFlaggedTrack(2, { isDefault: 0 });
		expect(await readObstacleIn(createVideo(other, ac3))).toEqual(createCodecObstacle('AC-3'));
	});

	it.each<{ what: string; file: Buffer; obstacle: object }>([
		{
			what: 'Vorbis of a real encoder',
			file: readAudioFile('vorbis.mka'),
			obstacle: createCodecObstacle('Vorbis'),
		},
		{ what: 'video but no sound', file: createVideo(), obstacle: { kind: 'noAudio' } },
		{
			what: 'no tracks and no blocks',
			file: createMatroskaFile([], []),
			obstacle: { kind: 'damaged' },
		},
		{
			what: 'no cluster in a live recording',
			file: createMatroskaFile([opus], [], unknownSize),
			obstacle: { kind: 'headerOnly' },
		},
		{
			what: 'an end before its first packet',
			file: createMatroskaFile(
				[createTrackEntry({ number: 9, type: 1, codecId: 'V_VP8' }), opus],
				[createCluster([createSimpleBlock(createPacket(50), 9)], unknownSize)],
				unknownSize,
			).subarray(0, -1),
			obstacle: { kind: 'headerOnly' },
		},
		{
			what: 'an end in the description of its audio',
			file: createMatroskaFile([opus], [], unknownSize).subarray(0, -1),
			obstacle: { kind: 'headerOnly' },
		},
		{
			what: 'only blocks of its video',
			file: createMatroskaFile([opus], [createCluster([createSimpleBlock(createPacket(9), 9)])]),
			obstacle: { kind: 'noAudio' },
		},
		{
			what: 'a block without a header',
			file: createMatroskaFile([opus], [createCluster([createElement('a3', Buffer.of(0x81, 0))])]),
			obstacle: { kind: 'noAudio' },
		},
		{
			what: 'a track whose size is not known',
			file: createMatroskaFile([createElement('ae', Buffer.alloc(9), unknownSize)], []),
			obstacle: { kind: 'damaged' },
		},
	])('is rejected if it has $what', async ({ file, obstacle }) => {
		expect(await readObstacleIn(file)).toEqual(obstacle);
	});
});
