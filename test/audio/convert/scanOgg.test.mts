import { scanOgg } from '../../../nodes/VoiceSpeech/audio/convert/scanOgg.ts';
import type { OpusTrack } from '../../../nodes/VoiceSpeech/audio/convert/track.ts';
import { createRange } from '../../support/calls.mts';
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

/** Scans a file, and reads its packets again. A link is its number of packets, and of skipped and played samples. */
async function scanTwice(file: Buffer) {
	const track = await scan(file);
	const packets = await collect(track.readPackets(createReader(file)));
	const links = track.links.map((link) => [
		link.packetCount,
		link.skippedSamples,
		link.playedSamples,
	]);
	expect(packets.reduce((sum, { length }) => sum + length, 0)).toBe(track.packetBytes);
	return { links, packets };
}

const readObstacleIn = async (file: Buffer) => await readObstacle(scan(file));

describe('reading Opus from OGG', () => {
	it('finds the packets of a real encoder, in chunks of any length', async () => {
		const file = readAudioFile('opus.opus');
		expect(await scanTwice(file)).toEqual({ links: [[51, 312, 48_000]], packets: tone });
		const { links } = await scan(file, file.length);
		for (const length of [1, 7, 28]) {
			expect(await scan(file, length)).toMatchObject({ kind: 'opus', packetBytes: 956, links });
		}
	});

	const packet = createPacket(9);
	/** A page with one packet, after which so many samples have been played. */
	const createAudioPage = (granule?: number, serial = 1) =>
		createPage([packet], { granule, serial });
	const createTagsPage = (serial: number) => createPage([opusTags], { serial });
	const createOtherPage = (serial = 1) => createPage([createPacket(99)], { serial, granule: 960 });
	const usual = [1, 312, 648];
	const head = [createOpusHead()];
	const theora = [Buffer.from('\u0080theora')];
	const createFirst = (packets: Buffer[], serial = 1) =>
		createPage(packets, { serial, isFirst: true });
	const createLast = (granule: number, serial = 1) =>
		createPage([packet], { serial, granule, isLast: true });
	/** A start, and a page of audio that is not the last one. */
	const open = Buffer.concat([createOpusStart(), createAudioPage(960)]);
	/** A link whose first page lacks its flag. */
	const createUnmarked = (serial: number) =>
		Buffer.concat([createPage(head, { serial }), createTagsPage(serial), createLast(960, serial)]);

	it.each<[what: string, links: number[][], ...pages: Buffer[]]>([
		['ends where its last page says', [[2, 312, 1188]], createOpusFile([packet, packet], 1500)],
		['has no end', [[2, 312, 1608]], createOpusFile([packet, packet], -1)],
		['is shorter than its end says', [usual], createOpusFile([packet], 99_999)],
		['ends before its start', [[1, 312, 0]], createOpusFile([packet], -5000)],
		[
			'starts late, so that its last page counts from the one before',
			[[2, 312, 960 + 500 - 312]],
			createOpusStart(),
			createAudioPage(90_000),
			createLast(90_500),
		],
		[
			'has a page on which no packet ends before its last page',
			[[2, 312, 1500 - 312]],
			open,
			createPage([createPacket(255)], { granule: -1, isUnfinished: true }),
			createPage([createPacket(5)], { granule: 1500, isLast: true, isContinued: true }),
		],
		['is skipped', [[1, 2000, 0]], createOpusFile([packet], 960, { preSkip: 2000 })],
		[
			'has several links',
			[[2, 312, 1608], [1, 100, 800], usual, usual],
			createOpusFile([packet, packet], 1920),
			createOpusFile([packet], 900, { serial: 2, preSkip: 100 }),
			createOpusFile([packet], 960),
			createOpusFile([packet], 960),
		],
		['has no tags', [usual], createFirst(head), createAudioPage(960)],
		[
			'is among other streams',
			[usual],
			createFirst([Buffer.from('fishead\0')], 7),
			createFirst(theora, 8),
			createFirst(head),
			createFirst(head, 9),
			createTagsPage(1),
			createTagsPage(9),
			createOtherPage(8),
			createOtherPage(9),
			createAudioPage(960),
		],
		[
			'has other bytes between its pages',
			[usual],
			Buffer.from('ID3 Ogg OggO'),
			createOpusStart(),
			Buffer.alloc(100, 'Ogg'),
			createAudioPage(960),
			Buffer.from('TAG'),
		],
		[
			'has a damaged flag that makes a page the first of its stream',
			[[3, 312, 2880 - 312]],
			open,
			createPage([packet], { granule: 1920, isFirst: true }),
			createAudioPage(2880),
		],
		[
			'has a damaged flag that makes a page the first of another stream',
			[[2, 312, 1920 - 312]],
			createFirst(theora, 8),
			open,
			createFirst([createPacket(99)], 8),
			createAudioPage(1920),
		],
		['has no flags of first pages', [usual, usual], createUnmarked(1), createUnmarked(2)],
		['has its first page twice', [usual], createFirst(head), createOpusFile([packet], 960)],
		[
			'reuses the serial number of a link for another codec',
			[usual, usual],
			createOpusFile([packet], 960),
			createFirst(theora),
			createFirst(head, 2),
			createTagsPage(2),
			createOtherPage(),
			createLast(960, 2),
			createFirst(theora, 2),
			createOtherPage(2),
		],
		[
			'reuses the serial number of a link without an end for Vorbis',
			[usual],
			open,
			createFirst([Buffer.from('\u0001vorbis')]),
			createOtherPage(),
		],
		[
			'ends in the lacing of a page',
			[usual],
			createOpusStart(),
			createPage([packet]),
			createPage([createPacket(1)]).subarray(0, 27),
		],
	])('finds the packets of a file that %s', async (_, links, ...pages) => {
		expect((await scanTwice(Buffer.concat(pages))).links).toEqual(links);
	});

	const unfinished = { isContinued: true, isUnfinished: true };

	it('joins packets that are spread over pages', async () => {
		const spread = Buffer.alloc(255 * 3 + 40, 3).fill(0x08, 0, 1);
		const file = Buffer.concat([
			createPage([createOpusHead()], { isFirst: true }),
			createPage([Buffer.concat([opusTags, Buffer.alloc(239)])], { isUnfinished: true }),
			createPage([Buffer.alloc(510)], unfinished),
			createPage([Buffer.alloc(0), packet, spread.subarray(0, 255)], unfinished),
			createPage([], { isContinued: true }),
			createPage([spread.subarray(255, 510)], unfinished),
			createPage([spread.subarray(510), createPacket(6)], { isContinued: true }),
		]);
		expect((await scanTwice(file)).packets).toEqual([packet, spread, createPacket(6)]);
	});

	const lost = [createPacket(20), createPacket(7)];

	const long = [createPacket(255)];
	const end = createPage(lost, { isContinued: true });

	it.each<[what: string, ...pages: Buffer[]]>([
		['whose end is lost', createPage(long, { isUnfinished: true }), createPage(lost.slice(1))],
		['whose start is lost', end],
		['whose start is lost, and that continues', createPage(long, unfinished), end],
	])('drops a packet %s', async (_, ...pages) => {
		const { packets } = await scanTwice(Buffer.concat([createOpusStart(), ...pages]));
		expect(packets).toEqual([createPacket(7)]);
	});

	it('keeps little of a packet that is spread over thousands of pages', async () => {
		const part = [Buffer.alloc(255, 0x08)];
		const file = Buffer.concat([
			createOpusStart(),
			createPage(part, { isUnfinished: true }),
			...Array<Buffer>(5000).fill(createPage(part, unfinished)),
			createPage([packet], { isContinued: true }),
		]);
		const { packets, links } = await scanTwice(file);
		expect(links).toEqual([usual]);
		expect(packets[0]!.length).toBeLessThan(70_000);
		expect(packets[0]!.length).toBeGreaterThan(61_000);
	});
});

describe('an OGG file', () => {
	const createFirstPage = (start: string, serial = 1) =>
		createPage([Buffer.from(`${start}-more-bytes`, 'latin1')], { serial, isFirst: true });
	const createCodecObstacle = (name: string) => ({ kind: 'codec', codec: name });

	const video = createFirstPage('\u0080theora');

	it.each<[codec: string, file: Buffer]>([
		['Vorbis', readAudioFile('vorbis.ogg')],
		['FLAC in OGG', readAudioFile('flac.ogg')],
		// An old form.
		['FLAC in OGG', createFirstPage('fLaC')],
		['Vorbis', Buffer.concat([video, createFirstPage('\u0001vorbis', 2)])],
	])('is rejected if it has %s', async (codec, file) => {
		expect(await readObstacleIn(file)).toEqual(createCodecObstacle(codec));
	});

	it.each<[what: string, kind: string, file: Buffer]>([
		['only video', 'noAudio', video],
		['no page', 'damaged', Buffer.alloc(5000, 'O')],
		['half a header', 'damaged', createPage([Buffer.from('OpusHead')], { isFirst: true })],
	])('is rejected if it has %s: %s', async (_, kind, file) => {
		expect(await readObstacleIn(file)).toEqual({ kind });
	});

	it('is rejected if it has too many links or streams', async () => {
		const createLinks = (count: number) =>
			Buffer.concat(Array<Buffer>(count).fill(createOpusFile([createPacket(2)], 960)));
		const createStreams = (count: number) =>
			Buffer.concat(createRange(count).map((serial) => createFirstPage('Speex   ', serial)));
		expect((await scan(createLinks(500))).links).toHaveLength(500);
		expect(await readObstacleIn(createLinks(501))).toEqual({ kind: 'damaged' });
		expect(await readObstacleIn(createStreams(500))).toEqual(createCodecObstacle('Speex'));
		expect(await readObstacleIn(createStreams(501))).toEqual({ kind: 'damaged' });
	});
});
