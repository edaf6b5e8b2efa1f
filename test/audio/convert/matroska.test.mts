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

/** How many packets a file has, and how many samples are skipped and played. */
async function readLink(file: Buffer): Promise<number[]> {
	const track = (await scan(file)) as OpusTrack;
	const [{ packetCount, skippedSamples, playedSamples }] = track.links as [OpusTrack['links'][0]];
	expect(track.links).toHaveLength(1);
	expect(await convertPackets(file)).toHaveLength(packetCount);
	return [packetCount, skippedSamples, playedSamples];
}

/** Flags of a track (RFC 9559, 5.1.4.1), which are 1 where they are missing. */
const isDefault = createUnsignedElement('88', 1);
const notDefault = createUnsignedElement('88', 0);
const notEnabled = createUnsignedElement('b9', 0);

const createOpusTrack = (number: number, ...more: Buffer[]) =>
	createTrackEntry({ number, codecPrivate: createOpusHead(), more });

/** A block with one packet of 20 ms, and a cluster with it. */
const block = createSimpleBlock(createPacket(9));
const cluster = createCluster([block]);
const unsizedCluster = createCluster([block], unknownSize);

/** Groups with a packet of one byte, and its duration. */
const smallGroup = createElement('a0', [
	createElement('a1', createBlockContent(createPacket(1), 1, 0)),
	createUnsignedElement('9b', 20),
]);
const smallGroups = createCluster(new Array<Buffer>(40_000).fill(smallGroup));

const readObstacleIn = async (file: Buffer) => await readObstacle(scan(file));

/** A video with these tracks of audio. */
const createVideo = (...tracks: Buffer[]) =>
	createMatroskaFile(
		[createTrackEntry({ number: 9, type: 1, codecId: 'V_VP8' }), ...tracks],
		[createCluster([createSimpleBlock(createPacket(5000), 9), createSimpleBlock(createPacket(9))])],
	);

describe('reading Opus from WebM or Matroska', () => {
	it('finds the packets of a real encoder, in chunks of any length', async () => {
		const file = readAudioFile('opus.webm');
		expect(await readLink(file)).toEqual([51, 312, 48_000]);
		expect(await convertPackets(file)).toEqual(tone);
		const { links } = (await scan(file, file.length)) as OpusTrack;
		for (const length of [1, 7, 64]) {
			expect(await scan(file, length)).toMatchObject({ kind: 'opus', packetBytes: 956, links });
		}
	});

	/** 10 ms at the end of a packet are not played. */
	const discarding = createDiscardingGroup(createPacket(9), 10_000_000);
	const startDiscarding = createCluster([createDiscardingGroup(createPacket(9), -10_000_000)]);
	const createFile = (...clusters: Buffer[]) => createMatroskaFile([opus], clusters);
	const createLiveFile = (...clusters: Buffer[]) =>
		createMatroskaFile([opus], clusters, unknownSize);
	const tracks = createElement('1654ae6b', [createTrackEntry({ number: 9, type: 1 }), opus]);
	const between = [createCluster([discarding]), tracks, cluster];
	const longEntry = createElement('ae', Buffer.alloc(1024 * 1024 + 1));
	const longTrack = createElement('1654ae6b', longEntry);
	const reversedGroup = createElement('a0', [
		createElement('75a2', Buffer.from('00989680', 'hex')),
		createElement('a1', createBlockContent(createPacket(9))),
	]);
	const discardingVideo = createCluster([
		discarding,
		createDiscardingGroup(createPacket(9), 15_000_000, 9),
		createSimpleBlock(createPacket(9), 9),
	]);
	const others = [
		createElement('ec', Buffer.alloc(5000, 0xa3)),
		createCluster([createElement('ec', Buffer.alloc(0)), block]),
		createElement('1c53bb6b', Buffer.alloc(40, 0xa3)),
		createElement('1941a469', Buffer.alloc(2_000_000, 0xa3)),
	];
	const tooLong = createVint(9_999_999);
	const brokenElement = createCluster([block, createElement('ec', [], tooLong)]);
	const longBlock = createCluster([createSimpleBlock(Buffer.alloc(5_000_000))]);
	const lateHead = createTrackEntry({ codecPrivate: createOpusHead({ preSkip: 2000 }) });
	const delay = [createElement('56aa', Buffer.from('632ea0', 'hex'))];
	/** The number of packets, and of skipped and played samples. */
	const one = [1, 312, 648];
	const two = [2, 312, 1608];

	it.each<[what: string, file: Buffer, link: number[]]>([
		['whose sizes are not known', createLiveFile(unsizedCluster, unsizedCluster), two],
		['with a void, cues and a large attachment', createFile(...others, cluster), two],
		['with damage like a long track after a block', createFile(cluster, longTrack, cluster), two],
		['that ends in a packet', createFile(createCluster([block, discarding])), [2, 312, 1128]],
		['with DiscardPadding for its start', createFile(startDiscarding), one],
		['with early DiscardPadding', createFile(createCluster([discarding, block])), two],
		['with DiscardPadding of the video too', createFile(discardingVideo), [1, 312, 168]],
		['whose DiscardPadding is first', createFile(createCluster([reversedGroup])), [1, 312, 168]],
		['with damage after a block', createLiveFile(unsizedCluster, Buffer.alloc(100), block), one],
		['with other bytes', createFile(cluster, Buffer.alloc(5000, 0xff), cluster), two],
		['with an element that is too long', createFile(brokenElement, cluster), two],
		['with a long cluster', createFile(createCluster([block], tooLong), cluster), two],
		['with a block of 5 MB, which is damage', createFile(longBlock, cluster), one],
		['that is skipped', createMatroskaFile([lateHead], [cluster]), [1, 2000, 0]],
		['whose tracks are last', createMatroskaFile([], [cluster, cluster, tracks]), two],
		['whose tracks are between clusters', createMatroskaFile([], between, unknownSize), two],
		['without a header of Opus', createVideo(createTrackEntry()), [1, 0, 960]],
		['with a delay', createVideo(createTrackEntry({ more: delay })), one],
		['whose blocks could not be smaller', createFile(smallGroups), [4e4, 312, 4e4 * 960 - 312]],
	])('finds the packets of a file %s', async (_, file, link) => {
		expect(await readLink(file)).toEqual(link);
	});

	it.each(['e7', 'ae', 'a3'])(
		'finds the next cluster after a damaged element %s in a cluster of unknown size',
		async (id) => {
			const damagedCluster = createCluster([createElement(id, [], tooLong)], unknownSize);
			const file = createLiveFile(unsizedCluster, damagedCluster, unsizedCluster);
			expect(await readLink(file)).toEqual([2, 312, 1608]);
		},
	);

	it('finds the first track that can be converted', async () => {
		const ac3 = createTrackEntry({ number: 2, codecId: 'A_AC3' });
		const second = createTrackEntry({ number: 3, codecPrivate: createOpusHead({ preSkip: 7 }) });
		const third = createOpusTrack(4);
		const blocks = [2, 4, 3].map((number) => createSimpleBlock(createPacket(number * 10), number));
		const file = createMatroskaFile([ac3, second, third], [createCluster(blocks)]);
		expect(await readLink(file)).toEqual([1, 7, 953]);
		expect(await convertPackets(file)).toEqual([createPacket(30)]);
	});

	it.each<[what: string, flags: Buffer[][], chosen: number]>([
		['that is marked as the default', [[notDefault], [], []], 2],
		['that is enabled', [[notEnabled], [isDefault]], 2],
		['if none is the default', [[notDefault], [notDefault]], 1],
		['that is enabled if the default one is not', [[notEnabled], [notDefault]], 2],
	])('finds the first track %s', async (_, flags, chosen) => {
		const entries = flags.map((more, index) => createOpusTrack(index + 1, ...more));
		const blocks = flags.map((__, index) => createSimpleBlock(createPacket(index + 1), index + 1));
		const file = createMatroskaFile(entries, [createCluster(blocks)]);
		expect(await convertPackets(file)).toEqual([createPacket(chosen)]);
	});

	it('reads a track number of two bytes', async () => {
		const entry = createOpusTrack(200);
		const content = Buffer.concat([createVint(200, 2), Buffer.alloc(3), createPacket(9)]);
		const file = createMatroskaFile([entry], [createCluster([createElement('a3', content)])]);
		expect(await convertPackets(file)).toEqual([createPacket(9)]);
	});
});

describe('the packets of a block with lacing', () => {
	const [same, other] = [createPacket(40, 3), createPacket(40, 4)];
	const frames = [createPacket(300, 2), same, other, createPacket(600, 5)];

	it.each<[what: string, flags: number, lacing: number[], packets: Buffer[]]>([
		['Xiph lacing', 0x02, [3, 255, 45, 40, 40], frames],
		['Xiph lacing and a packet of 255 bytes', 0x02, [1, 255, 0], [createPacket(255), other]],
		// 300 in two bytes, then differences: -260 in two bytes, 0 in one.
		['EBML lacing', 0x06, [3, 0x41, 0x2c, 0x5e, 0xfb, 0xbf], frames],
		['lacing of equal lengths', 0x04, [2], [createPacket(40, 2), same, other]],
	])('are found with %s', async (_, flags, lacing, packets) => {
		const laced = createSimpleBlock(Buffer.concat([Buffer.from(lacing), ...packets]), 1, flags);
		const file = createMatroskaFile([opus], [createCluster([laced])]);
		expect(await convertPackets(file)).toEqual(packets);
	});

	it.each<[what: string, flags: number, content: number[]]>([
		['Xiph: no end', 0x02, [2, 255, 255]],
		['EBML: too long', 0x06, [1, 0xb2, 8, 8]],
		['EBML: a negative length', 0x06, [2, 0x82, 0x80, 8, 8, 8, 8]],
		['EBML: an invalid number', 0x06, [1, 0, 8, 8, 8, 8, 8, 8, 8, 8]],
		['equal: a rest', 0x04, [1, 8, 8, 8]],
	])('are dropped if they are damaged (%s)', async (_, flags, content) => {
		const damaged = createSimpleBlock(Buffer.from(content), 1, flags);
		const file = createMatroskaFile([opus], [createCluster([damaged, block])]);
		expect(await convertPackets(file)).toEqual([createPacket(9)]);
	});
});

describe('reading AAC from Matroska', () => {
	const createAacFile = (config: Buffer, blocks: Buffer[]) =>
		createMatroskaFile([createAacTrack(config)], [createCluster(blocks)]);
	const blocks = [createSimpleBlock(createPacket(30)), createSimpleBlock(createPacket(40))];

	it.each<[what: string, config: string, samplingRate: number, ticks: number]>([
		['AAC LC', '1408', 16_000, 1024],
		['960 samples in a packet', '140c', 16_000, 960],
		// 5 bits 5 (SBR), 4 bits 8 (16 kHz), 4 bits 1, 4 bits 5 (32 kHz), 5 bits 2, and 960 samples.
		['HE-AAC with 960 samples', '2c0a8a00', 16_000, 960],
		// 5 bits 2, 4 bits 15, 24 bits 12345, 4 bits 1
		['an explicit rate', '1780181c88', 12_345, 1024],
		// 5 bits 31, 6 bits 10 (42: xHE-AAC), 4 bits 3 (48 kHz), 4 bits 1
		['a long object type', 'f9462000', 48_000, 1024],
	])('finds the packets of a track with %s', async (_, config, samplingRate, ticks) => {
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
		const last = createDiscardingGroup(createPacket(50), 20_000_000);
		const playedParts = [{ skippedTicks: 0, playedTicks: 3 * 1024 - 320 }];
		expect(await scan(createAacFile(plain, [...blocks, last]))).toMatchObject({ playedParts });
	});

	it('reports a rate that does not exist, and more channels than M4A has, as damage', async () => {
		const rate = createAacFile(Buffer.from('1688', 'hex'), blocks);
		expect(await readObstacleIn(rate)).toEqual({ kind: 'damaged' });
		const channels = createElement('e1', createElement('9f', Buffer.from('011170', 'hex')));
		const entry = createTrackEntry({ codecId: 'A_AAC', codecPrivate: plain, more: [channels] });
		const file = createMatroskaFile([entry], [createCluster(blocks)]);
		expect(await readObstacleIn(file)).toEqual({ kind: 'damaged' });
	});
});

describe('a Matroska file', () => {
	const createCodecObstacle = (name: string) => ({ kind: 'codec', codec: name });
	const encoded = [createElement('6d80', Buffer.alloc(2))];
	const threeChannels = [createElement('e1', createUnsignedElement('9f', 3))];
	const sixChannels = createOpusHead({ channels: 6 });

	it.each<[codecId: string, name: string, options?: TrackOptions]>([
		['A_AC3', 'AC-3'],
		['A_VORBIS', 'Vorbis'],
		['A_PCM/INT/LIT', 'PCM'],
		['A_MPEG/L3\0', 'MP3'],
		['A_SOMETHING', 'SOMETHING'],
		['A_QUICKTIME/QDM2', 'QDesign Music'],
		['A_QUICKTIME', 'IMA ADPCM', { codecPrivate: Buffer.from('\0\0\0$ima4') }],
		['A_AAC', 'ALS', { codecPrivate: Buffer.from('f8800000', 'hex') }],
		['A_AAC/MPEG4/LC', 'AAC in an old or encrypted form'],
		['A_AAC', 'AAC in an old or encrypted form'],
		['A_OPUS', 'Opus, compressed or encrypted', { more: encoded }],
		['A_OPUS', 'Opus with more than two channels', { more: threeChannels }],
		['A_OPUS', 'Opus with more than two channels', { codecPrivate: sixChannels }],
	])('is rejected because its track %j is %s', async (codecId, name, options = {}) => {
		const file = createVideo(createTrackEntry({ codecId, ...options }));
		expect(await readObstacleIn(file)).toEqual(createCodecObstacle(name));
	});

	it.each([
		['0700', 'G.711'],
		['0200', 'Microsoft ADPCM'],
		[`feff${'00'.repeat(22)}1100`, 'IMA ADPCM'],
		['3412', 'of the WAVE format 0x1234'],
		['07', 'unknown'],
	])('is rejected because its WAVEFORMATEX %s is %s', async (format, name) => {
		const codecPrivate = Buffer.from(format, 'hex');
		const file = createVideo(createTrackEntry({ codecId: 'A_MS/ACM', codecPrivate }));
		expect(await readObstacleIn(file)).toEqual(createCodecObstacle(name));
	});

	it.each(['ec80', 'a380', 'a080'])(
		'is rejected after a few of millions of elements %s',
		async (id) => {
			const elements = Buffer.alloc(4_000_000, id, 'hex');
			const file = createMatroskaFile([opus], [createCluster([elements])]);
			const reader = createReader(file);
			const readAgain = async () => await Promise.reject(new Error('It is not read again'));
			expect(await readObstacle(scanMatroska(reader, readAgain))).toEqual({ kind: 'damaged' });
			expect(reader.position).toBeLessThan(1_000_000);
		},
	);

	it('is rejected if the default track is not converted, but another one could be', async () => {
		const ac3 = createTrackEntry({ codecId: 'A_AC3' });
		const other = createOpusTrack(2, notDefault);
		expect(await readObstacleIn(createVideo(other, ac3))).toEqual(createCodecObstacle('AC-3'));
	});

	const videoTrack = createTrackEntry({ number: 9, type: 1, codecId: 'V_VP8' });
	const videoCluster = createCluster([createSimpleBlock(createPacket(50), 9)], unknownSize);
	const live = createMatroskaFile([opus], [], unknownSize);
	const endingLive = createMatroskaFile([videoTrack, opus], [videoCluster], unknownSize);
	const emptyBlock = createCluster([createElement('a3', Buffer.of(0x81, 0))]);
	const unsizedTrack = createElement('ae', Buffer.alloc(9), unknownSize);

	it.each<[what: string, kind: string, file: Buffer]>([
		['video but no sound', 'noAudio', createVideo()],
		['no tracks and no blocks', 'damaged', createMatroskaFile([], [])],
		['no cluster in a live recording', 'headerOnly', live],
		['an end before its first packet', 'headerOnly', endingLive.subarray(0, -1)],
		['an end in the description of its audio', 'headerOnly', live.subarray(0, -1)],
		['only blocks of its video', 'noAudio', createMatroskaFile([opus], [videoCluster])],
		['a block without a header', 'noAudio', createMatroskaFile([opus], [emptyBlock])],
		['a track whose size is not known', 'damaged', createMatroskaFile([unsizedTrack], [])],
	])('is rejected if it has %s (%s)', async (_, kind, file) => {
		expect(await readObstacleIn(file)).toEqual({ kind });
	});
});
