import { scanOgg } from '../../../nodes/VoiceSpeech/audio/convert/scanOgg.ts';
import type { OpusTrack } from '../../../nodes/VoiceSpeech/audio/convert/track.ts';
import { readAudioFile } from '../../support/media/audioFiles.mts';
import { collect, createReader, readObstacle } from '../../support/media/conversion.mts';
import {
	createOpusFile,
	createOpusHead,
	createOpusStart,
	opusTags,
	createPage,
	tone,
} from '../../support/media/ogg.mts';

/** A packet of 20 ms with this length. */
const createPacket = (bytes: number) => Buffer.alloc(bytes, 1).fill(0x08, 0, 1);

async function scan(file: Buffer, chunkBytes?: number): Promise<OpusTrack> {
	return await scanOgg(createReader(file, chunkBytes));
}

/** Scans a file, and reads its packets again. */
async function scanTwice(file: Buffer) {
	const track = await scan(file);
	const packets = await collect(track.readPackets(createReader(file)));
	const links = track.links.map(({ packetCount, skippedSamples, playedSamples }) => ({
		packetCount,
		skippedSamples,
		playedSamples,
	}));
	expect(packets.reduce((sum, { length }) => sum + length, 0)).toBe(track.packetBytes);
	return { links, packets };
}

const readObstacleIn = async (file: Buffer) => await readObstacle(scan(file));

describe('reading Opus from OGG', () => {
	it('finds the packets of a real encoder', async () => {
		const { links, packets } = await scanTwice(readAudioFile('opus.opus'));
		expect(links).toEqual([{ packetCount: 51, skippedSamples: 312, playedSamples: 48_000 }]);
		expect(packets).toEqual(tone);
	});

	it('finds the same packets in chunks of any length', async () => {
		const file = readAudioFile('opus.opus');
		const whole = await scan(file, file.length);
		expect(whole).toMatchObject({ kind: 'opus', packetBytes: 956 });
		const { links } = whole;
		for (const length of [1, 7, 28]) expect(await scan(file, length)).toMatchObject({ links });
	});

	it.each<{ what: string; file: Buffer; links: object[] }>([
		{
			what: 'ends where its last page says',
			file: createOpusFile([createPacket(9), createPacket(9)], 1500),
			links: [{ packetCount: 2, skippedSamples: 312, playedSamples: 1188 }],
		},
		{
			what: 'has no end',
			file: createOpusFile([createPacket(9), createPacket(9)], -1),
			links: [{ packetCount: 2, skippedSamples: 312, playedSamples: 1608 }],
		},
		{
			what: 'is shorter than its end says',
			file: createOpusFile([createPacket(9)], 99_999),
			links: [{ packetCount: 1, skippedSamples: 312, playedSamples: 648 }],
		},
		{
			what: 'ends before its start',
			file: createOpusFile([createPacket(9)], -5000),
			links: [{ packetCount: 1, skippedSamples: 312, playedSamples: 0 }],
		},
		{
			what: 'starts late, so that its last page counts from the one before',
			file: Buffer.concat([
				createOpusStart(),
				createPage([createPacket(9)], { granule: 90_000 }),
				createPage([createPacket(9)], { granule: 90_500, isLast: true }),
			]),
			links: [{ packetCount: 2, skippedSamples: 312, playedSamples: 960 + 500 - 312 }],
		},
		{
			what: 'has a page on which no packet ends before its last page',
			file: Buffer.concat([
				createOpusStart(),
				createPage([createPacket(9)], { granule: 960 }),
				createPage([createPacket(255)], { granule: -1, isUnfinished: true }),
				createPage([createPacket(5)], { granule: 1500, isLast: true, isContinued: true }),
			]),
			links: [{ packetCount: 2, skippedSamples: 312, playedSamples: 1500 - 312 }],
		},
		{
			what: 'has less audio than its header drops',
			file: createOpusFile([createPacket(9)], 960, { preSkip: 2000 }),
			links: [{ packetCount: 1, skippedSamples: 2000, playedSamples: 0 }],
		},
		{
			what: 'has several links',
			file: Buffer.concat([
				createOpusFile([createPacket(9), createPacket(9)], 1920),
				createOpusFile([createPacket(9)], 900, { serial: 2, preSkip: 100 }),
			]),
			links: [
				{ packetCount: 2, skippedSamples: 312, playedSamples: 1608 },
				{ packetCount: 1, skippedSamples: 100, playedSamples: 800 },
			],
		},
		{
			what: 'has several links with one serial number',
			file: Buffer.concat([
				createOpusFile([createPacket(9)], 960),
				createOpusFile([createPacket(9)], 960),
			]),
			links: [
				{ packetCount: 1, skippedSamples: 312, playedSamples: 648 },
				{ packetCount: 1, skippedSamples: 312, playedSamples: 648 },
			],
		},
		{
			what: 'has no tags',
			file: Buffer.concat([
				createPage([createOpusHead()], { isFirst: true }),
				createPage([createPacket(9)], { granule: 960 }),
			]),
			links: [{ packetCount: 1, skippedSamples: 312, playedSamples: 648 }],
		},
		{
			what: 'is among other streams',
			file: Buffer.concat([
				createPage([Buffer.from('fishead\0')], { serial: 7, isFirst: true }),
				createPage([Buffer.from('\u0080theora')], { serial: 8, isFirst: true }),
				createPage([createOpusHead()], { isFirst: true }),
				createPage([createOpusHead()], { serial: 9, isFirst: true }),
				createPage([opusTags]),
				createPage([opusTags], { serial: 9 }),
				createPage([createPacket(99)], { serial: 8, granule: 960 }),
				createPage([createPacket(99)], { serial: 9, granule: 960 }),
				createPage([createPacket(9)], { granule: 960 }),
			]),
			links: [{ packetCount: 1, skippedSamples: 312, playedSamples: 648 }],
		},
		{
			what: 'has other bytes between its pages',
			file: Buffer.concat([
				Buffer.from('ID3 Ogg OggO'),
				createOpusStart(),
				Buffer.alloc(100, 'Ogg'),
				createPage([createPacket(9)], { granule: 960 }),
				Buffer.from('TAG'),
			]),
			links: [{ packetCount: 1, skippedSamples: 312, playedSamples: 648 }],
		},
		{
			what: 'has a damaged flag that makes a page the first of its stream',
			file: Buffer.concat([
				createOpusStart(),
				createPage([createPacket(9)], { granule: 960 }),
				createPage([createPacket(9)], { granule: 1920, isFirst: true }),
				createPage([createPacket(9)], { granule: 2880 }),
			]),
			links: [{ packetCount: 3, skippedSamples: 312, playedSamples: 2880 - 312 }],
		},
		{
			what: 'has a damaged flag that makes a page the first of another stream',
			file: Buffer.concat([
				createPage([Buffer.from('\u0080theora')], { serial: 8, isFirst: true }),
				createOpusStart(),
				createPage([createPacket(9)], { granule: 960 }),
				createPage([createPacket(99)], { serial: 8, isFirst: true }),
				createPage([createPacket(9)], { granule: 1920 }),
			]),
			links: [{ packetCount: 2, skippedSamples: 312, playedSamples: 1920 - 312 }],
		},
		{
			what: 'has links without the flag of their first page',
			file: Buffer.concat([
				createPage([createOpusHead()]),
				createPage([opusTags]),
				createPage([createPacket(9)], { granule: 960, isLast: true }),
				createPage([createOpusHead()], { serial: 2 }),
				createPage([opusTags], { serial: 2 }),
				createPage([createPacket(9)], { serial: 2, granule: 960, isLast: true }),
			]),
			links: [
				{ packetCount: 1, skippedSamples: 312, playedSamples: 648 },
				{ packetCount: 1, skippedSamples: 312, playedSamples: 648 },
			],
		},
		{
			what: 'has the first page of a stream twice',
			file: Buffer.concat([
				createPage([createOpusHead()], { isFirst: true }),
				createOpusFile([createPacket(9)], 960),
			]),
			links: [{ packetCount: 1, skippedSamples: 312, playedSamples: 648 }],
		},
		{
			what: 'reuses the serial number of a link for another codec',
			file: Buffer.concat([
				createOpusFile([createPacket(9)], 960),
				createPage([Buffer.from('\u0080theora')], { isFirst: true }),
				createPage([createOpusHead()], { serial: 2, isFirst: true }),
				createPage([opusTags], { serial: 2 }),
				createPage([createPacket(99)]),
				createPage([createPacket(9)], { serial: 2, granule: 960, isLast: true }),
				createPage([Buffer.from('\u0080theora')], { serial: 2, isFirst: true }),
				createPage([createPacket(99)], { serial: 2 }),
			]),
			links: [
				{ packetCount: 1, skippedSamples: 312, playedSamples: 648 },
				{ packetCount: 1, skippedSamples: 312, playedSamples: 648 },
			],
		},
		{
			what: 'reuses the serial number of a link without an end for Vorbis',
			file: Buffer.concat([
				createOpusStart(),
				createPage([createPacket(9)], { granule: 960 }),
				createPage([Buffer.from('\u0001vorbis')], { isFirst: true }),
				createPage([createPacket(99)]),
			]),
			links: [{ packetCount: 1, skippedSamples: 312, playedSamples: 648 }],
		},
		{
			what: 'ends in the lacing of a page',
			file: Buffer.concat([
				createOpusStart(),
				createPage([createPacket(9)]),
				createPage([createPacket(1)]).subarray(0, 27),
			]),
			links: [{ packetCount: 1, skippedSamples: 312, playedSamples: 648 }],
		},
	])('finds the packets of a file that $what', async ({ file, links }) => {
		expect((await scanTwice(file)).links).toEqual(links);
	});

	it('joins packets that are spread over pages', async () => {
		const long = Buffer.alloc(255 * 3 + 40, 3).fill(0x08, 0, 1);
		const file = Buffer.concat([
			createPage([createOpusHead()], { isFirst: true }),
			createPage([Buffer.concat([opusTags, Buffer.alloc(239)])], { isUnfinished: true }),
			createPage([Buffer.alloc(510)], { isContinued: true, isUnfinished: true }),
			createPage([Buffer.alloc(0), createPacket(5), long.subarray(0, 255)], {
				isContinued: true,
				isUnfinished: true,
			}),
			createPage([], { isContinued: true }),
			createPage([long.subarray(255, 510)], { isContinued: true, isUnfinished: true }),
			createPage([long.subarray(510), createPacket(6)], { isContinued: true }),
		]);
		expect((await scanTwice(file)).packets).toEqual([createPacket(5), long, createPacket(6)]);
	});

	it.each<{ what: string; pages: Buffer[] }>([
		{
			what: 'whose end is lost',
			pages: [
				createPage([createPacket(255)], { isUnfinished: true }),
				createPage([createPacket(7)]),
			],
		},
		{
			what: 'whose start is lost',
			pages: [createPage([createPacket(20), createPacket(7)], { isContinued: true })],
		},
		{
			what: 'whose start is lost, and that continues',
			pages: [
				createPage([createPacket(255)], { isContinued: true, isUnfinished: true }),
				createPage([createPacket(20), createPacket(7)], { isContinued: true }),
			],
		},
	])('drops a packet $what', async ({ pages }) => {
		const { packets } = await scanTwice(Buffer.concat([createOpusStart(), ...pages]));
		expect(packets).toEqual([createPacket(7)]);
	});

	it('keeps little of a packet that is spread over thousands of pages', async () => {
		const pages = Array.from({ length: 5000 }, () =>
			createPage([Buffer.alloc(255, 0x08)], { isContinued: true, isUnfinished: true }),
		);
		pages[0] = createPage([Buffer.alloc(255, 0x08)], { isUnfinished: true });
		const file = Buffer.concat([
			createOpusStart(),
			...pages,
			createPage([createPacket(9)], { isContinued: true }),
		]);
		const { packets, links } = await scanTwice(file);
		expect(links).toEqual([{ packetCount: 1, skippedSamples: 312, playedSamples: 648 }]);
		expect(packets[0]!.length).toBeLessThan(70_000);
		expect(packets[0]!.length).toBeGreaterThan(61_000);
	});
});

describe('an OGG file', () => {
	const createFirstPage = (start: string, serial = 1) =>
		createPage([Buffer.from(`${start}-more-bytes`, 'latin1')], { serial, isFirst: true });
	const createCodecObstacle = (name: string) => ({ kind: 'codec', codec: name });

	it.each<{ what: string; file: Buffer; obstacle: object }>([
		{ what: 'Vorbis', file: readAudioFile('vorbis.ogg'), obstacle: createCodecObstacle('Vorbis') },
		{ what: 'FLAC', file: readAudioFile('flac.ogg'), obstacle: createCodecObstacle('FLAC in OGG') },
		{
			what: 'an old form of FLAC',
			file: createFirstPage('fLaC'),
			obstacle: createCodecObstacle('FLAC in OGG'),
		},
		{
			what: 'video and Vorbis',
			file: Buffer.concat([createFirstPage('\u0080theora'), createFirstPage('\u0001vorbis', 2)]),
			obstacle: createCodecObstacle('Vorbis'),
		},
		{ what: 'no page', file: Buffer.alloc(5000, 'O'), obstacle: { kind: 'damaged' } },
		{
			what: 'a header that is cut off',
			file: createPage([Buffer.from('OpusHead')], { isFirst: true }),
			obstacle: { kind: 'damaged' },
		},
	])('is rejected if it has $what', async ({ file, obstacle }) => {
		expect(await readObstacleIn(file)).toEqual(obstacle);
	});

	it('is rejected if it has too many links or streams', async () => {
		const createLinks = (count: number) =>
			Buffer.concat(Array.from({ length: count }, () => createOpusFile([createPacket(2)], 960)));
		const createStreams = (count: number) =>
			Buffer.concat(
				Array.from({ length: count }, (_, serial) => createFirstPage('Speex   ', serial)),
			);
		expect((await scan(createLinks(500))).links).toHaveLength(500);
		expect(await readObstacleIn(createLinks(501))).toEqual({ kind: 'damaged' });
		expect(await readObstacleIn(createStreams(500))).toEqual(createCodecObstacle('Speex'));
		expect(await readObstacleIn(createStreams(501))).toEqual({ kind: 'damaged' });
	});
});
