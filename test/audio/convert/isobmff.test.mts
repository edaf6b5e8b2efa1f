import { scanIsobmff } from '../../../nodes/VoiceSpeech/audio/convert/isobmff/scanIsobmff.ts';
import type {
	CopiedTrack,
	OpusTrack,
	PlayedPart,
} from '../../../nodes/VoiceSpeech/audio/convert/track.ts';
import { readAudioFile } from '../../support/media/audioFiles.mts';
import {
	aacConfig,
	createCo64,
	createEditList,
	createSampleEntry,
	createMovieFile,
	createMovieFileWithIndex,
	createMovieHeader,
	packets,
	sizes,
	createStco,
	createStsc,
	createStsz,
	createStts,
	createTrackBox,
	createUsualTables,
	videoTrack,
	type Edit,
	type TrackOptions,
} from '../../support/media/movies.mts';
import { createBox, createEsds, createLongBox, u16, u32 } from '../../support/media/isobmff.mts';
import {
	damaged,
	describedTrack,
	readMovieFileObstacle,
	scanMovieFile,
} from '../../support/media/scannedMovies.mts';
import { collect, createReader, scanBytes } from '../../support/media/conversion.mts';

const readAgain = async () => {
	throw new Error('It is not read again');
};

describe('the scan of a video', () => {
	const free = createBox('free', Buffer.alloc(40));
	const uuid = createBox('uuid', Buffer.alloc(16));
	const wide = createBox('wide');
	const createBoxToTheEnd = (content: Buffer) =>
		Buffer.concat([u32(0), Buffer.from('mdat'), content]);
	const createMovieFileWithTables = (change: (offsets: number[]) => Buffer[]) =>
		createMovieFileWithIndex({
			index: (offsets) => [
				createMovieHeader(),
				createTrackBox({ tables: change(offsets) }),
				videoTrack,
			],
		});

	it.each<{ what: string; file: Buffer }>([
		{ what: 'with the index first', file: createMovieFile({}, { isIndexFirst: true }) },
		{ what: 'without a brand', file: createMovieFile({}, { brand: '' }) },
		{
			what: 'with a 64-bit length',
			file: createMovieFile({}, { data: (content) => createLongBox('mdat', content) }),
		},
		{
			what: 'to the end of the file',
			file: createMovieFile({}, { isIndexFirst: true, data: createBoxToTheEnd }),
		},
		{ what: 'with other boxes', file: createMovieFile({}, { between: [free, uuid, wide] }) },
		{
			what: 'with 64-bit offsets',
			file: createMovieFileWithTables((offsets) => [
				...createUsualTables(offsets).slice(0, 3),
				createCo64(offsets),
			]),
		},
		{
			what: 'with an entry of chunks for each',
			file: createMovieFileWithTables((offsets) => [
				createStts(7, 1024),
				createStsc(1, 3, 1, 2, 2, 1, 3, 2, 1),
				createStsz(sizes),
				createStco(offsets),
			]),
		},
		{
			what: 'with durations for fewer packets',
			file: createMovieFileWithTables((offsets) => [
				createStts(1, 1024),
				...createUsualTables(offsets).slice(1),
			]),
		},
	])('finds the packets $what', async ({ file }) => {
		expect(await scanMovieFile(file)).toMatchObject(describedTrack);
		expect(await scanMovieFile(file, packets, 1)).toMatchObject(describedTrack);
	});

	it.each<{ bits: number; table: Buffer }>([
		{ bits: 4, table: Buffer.from([0x56, 0x78, 0x9a, 0xb0]) },
		{ bits: 8, table: Buffer.from(sizes) },
		{ bits: 16, table: u16(...sizes) },
	])('finds the packets if the size table has $bits bits', async ({ bits, table }) => {
		const compact = createBox('stz2', u32(0, bits, 7), table);
		const file = createMovieFileWithTables((offsets) => {
			return [...createUsualTables(offsets).slice(0, 2), compact, createStco(offsets)];
		});
		expect(await scanMovieFile(file)).toMatchObject(describedTrack);
		const short = createMovieFileWithTables((offsets) => [
			...createUsualTables(offsets).slice(0, 2),
			createBox('stz2', u32(0, bits, 7), table.subarray(1)),
			createStco(offsets),
		]);
		expect(await readMovieFileObstacle(short)).toEqual(damaged);
	});

	it('finds packets of one size and of different durations', async () => {
		const file = createMovieFileWithTables((offsets) => [
			createStts(2, 10, 1, 0, 4, 20),
			createStsc(1, 3, 1),
			createBox('stsz', u32(0, 4, 7)),
			createStco(offsets),
		]);
		const track = (await scanBytes(scanIsobmff, file)) as CopiedTrack;
		expect(track.sizes).toEqual(Uint32Array.from([4, 4, 4, 4, 4, 4, 4]));
		expect(track.durations).toEqual(Uint32Array.of(2, 10, 1, 0, 4, 20));
	});

	it('takes a negative duration for one tick, as ffmpeg does', async () => {
		const file = createMovieFileWithTables((offsets) => [
			createStts(5, 1024, 1, 0x80000000, 1, 0xffffffff),
			...createUsualTables(offsets).slice(1),
		]);
		expect((await scanMovieFile(file)).durations).toEqual(Uint32Array.of(5, 1024, 2, 1));
	});

	it('finds the packets before the end of a file that is cut off', async () => {
		const file = createMovieFile({}, { isIndexFirst: true });
		const second = await scanMovieFile(file.subarray(0, -1), packets.slice(0, 6));
		expect(second.durations).toEqual(Uint32Array.of(6, 1024));
		expect(second.sizes).toHaveLength(6);
		// The last chunk has two packets, and other bytes before it.
		const chunk = sizes[5]! + sizes[6]!;
		await scanMovieFile(file.subarray(0, -chunk), packets.slice(0, 5));
		await scanMovieFile(file.subarray(0, -chunk - 12), packets.slice(0, 4));
		expect(
			await readMovieFileObstacle(createMovieFile({}, { isIndexFirst: true }).subarray(0, 600)),
		).toEqual(damaged);
	});

	it('finds the packets of a file that is cut off before a packet of another duration', async () => {
		const createTables = (offsets: number[]) => [
			createStts(6, 1024, 1, 7),
			...createUsualTables(offsets).slice(1),
		];
		const file = createMovieFileWithIndex({
			isIndexFirst: true,
			index: (offsets) => [videoTrack, createTrackBox({ tables: createTables(offsets) })],
		});
		expect((await scanMovieFile(file)).durations).toHaveLength(4);
		const { durations } = await scanMovieFile(file.subarray(0, -1), packets.slice(0, 6));
		expect(durations).toEqual(Uint32Array.of(6, 1024));
	});

	it('rejects an audio track without packets', async () => {
		const empty = [createStts(), createStsc(), createStsz([]), createStco([])];
		expect(await readMovieFileObstacle(createMovieFile({ tables: empty }))).toEqual({
			kind: 'noAudio',
		});
		expect(
			await readMovieFileObstacle(
				createMovieFileWithIndex({ index: () => [createMovieHeader(), videoTrack] }),
			),
		).toEqual({
			kind: 'noAudio',
		});
	});

	it('rejects packets that are not stored in playing order', async () => {
		const file = createMovieFileWithTables((offsets) =>
			createUsualTables([offsets[1]!, offsets[0]!, offsets[2]!]),
		);
		expect(await readMovieFileObstacle(file)).toEqual({ kind: 'order' });
	});

	it('lets other work run', async () => {
		let turns = 0;
		const count = (file: Buffer) =>
			createReader(file, undefined, async () => {
				turns++;
			});
		const many = 20_000;
		const start = createMovieFileWithIndex({
			isIndexFirst: true,
			index: ([offset]) => [
				videoTrack,
				createTrackBox({
					tables: [
						createStts(many, 1),
						createStsc(1, many, 1),
						createBox('stsz', u32(0, 1, many)),
						createStco([offset!]),
					],
				}),
			],
		});
		const file = Buffer.concat([start, Buffer.alloc(many)]);
		const track = (await scanIsobmff(count(file), readAgain)) as CopiedTrack;
		expect(track.sizes).toHaveLength(many);
		expect(turns).toBeGreaterThan(4);
		turns = 0;
		await collect(track.readPackets(count(file)));
		expect(turns).toBeGreaterThanOrEqual(many / 100);
	});
});

describe('the scan of a video with an edit list', () => {
	const readParts = async (others: Buffer[]) =>
		(await scanMovieFile(createMovieFile({ others }))).playedParts;
	const createLongEdit = (duration: bigint, start: bigint) => {
		const bytes = Buffer.alloc(28);
		bytes[0] = 1;
		bytes.writeUInt32BE(1, 4);
		bytes.writeBigUInt64BE(duration, 8);
		bytes.writeBigInt64BE(start, 16);
		return createBox('edts', createBox('elst', bytes));
	};

	it.each<{ what: string; edits: Buffer; expected: PlayedPart[] | undefined }>([
		{
			what: 'drops the end',
			edits: createEditList({ duration: 100, start: 1024 }),
			expected: [{ skippedTicks: 1024, playedTicks: 4410 }],
		},
		{
			what: 'begins with an empty part',
			edits: createEditList({ duration: 500, start: -1 }, { duration: 100, start: 1024 }),
			expected: [{ skippedTicks: 1024, playedTicks: 4410 }],
		},
		{
			what: 'has no duration',
			edits: createEditList({ duration: 0, start: 1024 }),
			expected: [{ skippedTicks: 1024, playedTicks: 6 * 1024 }],
		},
		{
			what: 'has numbers of 64 bits',
			edits: createLongEdit(100n, 1024n),
			expected: [{ skippedTicks: 1024, playedTicks: 4410 }],
		},
		{
			what: 'has numbers of 64 bits and is empty',
			edits: createLongEdit(100n, -1n),
			expected: undefined,
		},
		{
			what: 'has two parts',
			edits: createEditList({ duration: 10, start: 1024 }, { duration: 10, start: 4096 }),
			expected: [
				{ skippedTicks: 1024, playedTicks: 441 },
				{ skippedTicks: 4096, playedTicks: 441 },
			],
		},
		{
			what: 'has two parts without a gap',
			edits: createEditList({ duration: 10, start: 1024 }, { duration: 10, start: 1465 }),
			expected: [{ skippedTicks: 1024, playedTicks: 882 }],
		},
		{
			what: 'has two parts with a gap that is due to rounding',
			edits: createEditList({ duration: 10, start: 1024 }, { duration: 10, start: 1509 }),
			expected: [{ skippedTicks: 1024, playedTicks: 926 }],
		},
		{
			what: 'has parts without a duration next to another part',
			edits: createEditList(
				{ duration: 0, start: 0 },
				{ duration: 10, start: 1024 },
				{ duration: 0, start: 4096 },
			),
			expected: [{ skippedTicks: 1024, playedTicks: 441 }],
		},
		{
			what: 'starts after the end',
			edits: createEditList({ duration: 100, start: 7 * 1024 }),
			expected: undefined,
		},
		{
			what: 'is cut off',
			edits: createBox('edts', createBox('elst', u32(0, 1, 100))),
			expected: undefined,
		},
	])('applies a list that $what', async ({ edits, expected }) => {
		expect(await readParts([edits])).toEqual(expected);
	});

	it('rejects a list of more than 10,000 parts', async () => {
		const createEdits = (count: number) =>
			createEditList(...new Array<Edit>(count).fill({ duration: 10, start: 1024 }));
		expect(await readParts([createEdits(10_000)])).toHaveLength(10_000);
		const file = createMovieFile({ others: [createEdits(10_001)] });
		expect(await readMovieFileObstacle(file)).toEqual({ kind: 'edited' });
	});

	it('ignores the list if the movie has no time scale', async () => {
		const file = createMovieFileWithIndex({
			index: (offsets) => [
				videoTrack,
				createTrackBox({
					tables: createUsualTables(offsets),
					others: [createEditList({ duration: 1, start: 1 })],
				}),
			],
		});
		expect((await scanMovieFile(file)).playedParts).toBeUndefined();
	});
});

describe('the scan of a video with several tracks', () => {
	const createOtherTrack = (options: TrackOptions) => createTrackBox({ id: 2, ...options });
	const mono = createSampleEntry('mp4a', createEsds([0x12, 0x08]));
	const createMovieFileWithTracks = (...tracks: TrackOptions[]) =>
		createMovieFileWithIndex({
			index: (offsets) => [
				videoTrack,
				...tracks.map((track) =>
					createOtherTrack({ tables: createUsualTables(offsets), ...track }),
				),
			],
		});
	const ac3 = createSampleEntry('ac-3', Buffer.alloc(0));
	const createFallback = (id: number) => createBox('tref', createBox('fall', u32(id)));

	it.each<{ what: string; tracks: TrackOptions[]; channels: number }>([
		{
			what: 'is the first that is enabled',
			tracks: [{ flags: 6 }, { entry: mono, flags: 7 }],
			channels: 1,
		},
		{
			what: 'is the first if none is enabled',
			tracks: [{ flags: 0 }, { entry: mono, flags: 0 }],
			channels: 2,
		},
		{
			what: 'can be converted if several are enabled',
			tracks: [{ entry: ac3 }, { entry: mono }],
			channels: 1,
		},
		{
			what: 'replaces the enabled one',
			tracks: [
				{ entry: ac3, others: [createFallback(4)] },
				{ id: 5, flags: 0 },
				{ id: 4, entry: mono, flags: 0 },
			],
			channels: 1,
		},
		{
			what: 'is enabled if it can be converted, and not the one that replaces it',
			tracks: [{ others: [createFallback(4)] }, { id: 4, entry: mono, flags: 0 }],
			channels: 2,
		},
	])('takes the track that $what', async ({ tracks, channels }) => {
		expect(await scanMovieFile(createMovieFileWithTracks(...tracks))).toMatchObject({ channels });
	});

	it.each<{ what: string; tracks: TrackOptions[] }>([
		{ what: 'another track is not enabled', tracks: [{ entry: ac3 }, { flags: 0 }] },
		{
			what: 'the track that replaces it is not converted either',
			tracks: [
				{ entry: ac3, others: [createFallback(4)] },
				{ flags: 0 },
				{ id: 4, entry: ac3, flags: 0 },
			],
		},
	])('rejects the enabled track if $what', async ({ tracks }) => {
		expect(await readMovieFileObstacle(createMovieFileWithTracks(...tracks))).toEqual({
			kind: 'codec',
			codec: 'AC-3',
		});
	});

	/** A file with this many video tracks, followed by the only track with audio. */
	const createMovieFileWithVideos = (count: number) => {
		const videos = new Array<TrackOptions>(count - 1).fill({ kind: 'vide' });
		return createMovieFileWithTracks(...videos, { entry: mono });
	};

	it('finds the only audio among 100 tracks', async () => {
		expect(await scanMovieFile(createMovieFileWithVideos(99))).toMatchObject({ channels: 1 });
	});

	it('rejects 101 tracks', async () => {
		expect(await readMovieFileObstacle(createMovieFileWithVideos(100))).toEqual(damaged);
	});
});

describe('the scan of a sample entry', () => {
	const cookie = Buffer.concat([
		u32(4096),
		Buffer.from([0, 24, 40, 10, 14, 1]),
		Buffer.alloc(10),
		u32(96_000),
	]);
	const alac = createBox('alac', u32(0), cookie);
	const aacEsds = createEsds(aacConfig);
	const wrapInWave = (inner: Buffer) =>
		createBox('wave', createBox('frma', 'mp4a'), inner, createBox('\0\0\0\0'));

	it.each<{ what: string; track: TrackOptions; expected: object }>([
		{
			what: 'AAC of QuickTime, version 1',
			track: { entry: createSampleEntry('mp4a', wrapInWave(aacEsds), { version: 1 }) },
			expected: describedTrack,
		},
		{
			what: 'AAC of QuickTime, version 2',
			track: { entry: createSampleEntry('mp4a', wrapInWave(aacEsds), { version: 2 }) },
			expected: describedTrack,
		},
		{
			what: 'MPEG-2 AAC',
			track: { entry: createSampleEntry('mp4a', createEsds(aacConfig, { objectType: 0x67 })) },
			expected: describedTrack,
		},
		{
			what: 'AAC with optional fields',
			track: {
				entry: createSampleEntry(
					'mp4a',
					createEsds(aacConfig, { flags: 0xe0, optional: [0, 7, 2, 65, 66, 0, 9] }),
				),
			},
			expected: describedTrack,
		},
		{
			what: 'AAC with the channels described elsewhere',
			track: { entry: createSampleEntry('mp4a', createEsds([0x12, 0x00]), { channels: 5 }) },
			expected: { channels: 5 },
		},
		{
			what: 'HE-AAC',
			track: { entry: createSampleEntry('mp4a', createEsds([0x2b, 0x92, 0x08, 0x00])) },
			expected: { samplingRate: 22_050, channels: 2 },
		},
		{
			what: 'AAC with a rate of its own',
			track: { entry: createSampleEntry('mp4a', createEsds([0x17, 0x80, 0x1f, 0x40, 0x10])) },
			expected: { samplingRate: 16_000, channels: 2 },
		},
		{
			what: 'ALAC',
			track: { entry: createSampleEntry('alac', alac) },
			expected: { codec: 'alac', config: cookie, samplingRate: 96_000, channels: 1 },
		},
	])('copies $what from a video', async ({ track, expected }) => {
		expect(await scanMovieFile(createMovieFile(track))).toMatchObject(expected);
	});

	it('reads no other fields in version 1 of ISO/IEC 14496-12', async () => {
		const content = createSampleEntry('mp4a', createEsds(aacConfig));
		content.writeUInt16BE(1, 16);
		await scanMovieFile(createMovieFile({ entry: content, descriptionVersion: 1 }));
		expect(await readMovieFileObstacle(createMovieFile({ entry: content }))).toEqual(damaged);
	});

	it.each<{ codec: string; content: Buffer }>([
		{ codec: 'AMR', content: createSampleEntry('samr', Buffer.alloc(0)) },
		{ codec: 'AC-3', content: createSampleEntry('ac-3', Buffer.alloc(0)) },
		{ codec: 'PCM', content: createSampleEntry('sowt', Buffer.alloc(0)) },
		{ codec: 'encrypted', content: createSampleEntry('enca', aacEsds) },
		{
			codec: 'MP3',
			content: createSampleEntry('mp4a', createEsds(aacConfig, { objectType: 0x6b })),
		},
		{ codec: 'MP3', content: createSampleEntry('.mp3', Buffer.alloc(0)) },
		{
			codec: 'ALS',
			content: createSampleEntry('mp4a', createEsds([0xf8, 0x80, 0, 0])),
		},
		{
			codec: 'MPEG-4 audio of type 43',
			content: createSampleEntry('mp4a', createEsds([0xf9, 0x60, 0, 0])),
		},
		{ codec: 'IAMF', content: createSampleEntry('iamf', Buffer.alloc(0)) },
		{ codec: 'MP3', content: createSampleEntry('ms\0U', Buffer.alloc(0)) },
		{ codec: 'Microsoft ADPCM', content: createSampleEntry('ms\0\u0002', Buffer.alloc(0)) },
		{ codec: 'msvc', content: createSampleEntry('msvc', Buffer.alloc(0)) },
		{ codec: 'abcd', content: createSampleEntry('abcd', Buffer.alloc(0)) },
	])('rejects $codec in a video and in audio', async ({ codec, content }) => {
		const obstacle = { kind: 'codec', codec };
		expect(await readMovieFileObstacle(createMovieFile({ entry: content }))).toEqual(obstacle);
		const audioOnly = createMovieFileWithIndex({
			index: () => [createTrackBox({ entry: content })],
		});
		expect(await readMovieFileObstacle(audioOnly)).toEqual(obstacle);
	});

	it.each<{ what: string; content: Buffer }>([
		{ what: 'AAC without its description', content: createSampleEntry('mp4a', Buffer.alloc(0)) },
		{
			what: 'AAC with half a configuration',
			content: createSampleEntry('mp4a', createEsds([0x12])),
		},
		{
			what: 'AAC with an unknown rate',
			content: createSampleEntry('mp4a', createEsds([0x16, 0x90])),
		},
		{ what: 'Opus without its description', content: createSampleEntry('Opus', Buffer.alloc(0)) },
		{
			what: 'a name without letters',
			content: createSampleEntry('\u0001\u0002\u0003\u0004', Buffer.alloc(0)),
		},
		{ what: 'an entry that is cut off', content: createBox('mp4a', Buffer.alloc(27)) },
	])('reports $what as damage in a video, and sends it unchanged as audio', async ({ content }) => {
		expect(await readMovieFileObstacle(createMovieFile({ entry: content }))).toEqual(damaged);
		const audioOnly = createMovieFileWithIndex({
			index: () => [createTrackBox({ entry: content })],
		});
		expect(await readMovieFileObstacle(audioOnly)).toEqual({ kind: 'unchanged' });
		const movie = createMovieFileWithIndex({
			brand: 'qt  ',
			index: () => [createTrackBox({ entry: content })],
		});
		expect(await readMovieFileObstacle(movie)).toEqual(damaged);
	});
});

describe('the scan of a video with Opus', () => {
	const dOps = createBox(
		'dOps',
		Buffer.from([0, 1]),
		u16(312),
		u32(48_000),
		Buffer.from([0xff, 0, 0]),
	);
	const opus = { entry: createSampleEntry('Opus', dOps), timescale: 24_000 };

	async function scanOpus(track: TrackOptions): Promise<OpusTrack> {
		const file = createMovieFileWithIndex({
			index: (offsets) => [
				createMovieHeader(),
				createTrackBox({ ...opus, tables: createUsualTables(offsets), ...track }),
			],
		});
		const found = (await scanBytes(scanIsobmff, file)) as OpusTrack;
		expect(await collect(found.readPackets(createReader(file)))).toEqual(packets);
		return found;
	}

	it('creates the header that OGG has', async () => {
		const head = Buffer.from('4f707573486561640101380180bb000000ff00', 'hex');
		expect(await scanOpus({})).toMatchObject({
			kind: 'opus',
			links: [{ head, packetCount: 7, skippedSamples: 312, playedSamples: 7 * 2048 - 312 }],
			packetBytes: sizes.reduce((sum, size) => sum + size, 0),
		});
	});

	it.each<{ what: string; edits: Buffer; skippedSamples: number; playedSamples: number }>([
		{
			what: 'repeats the skip',
			edits: createEditList({ duration: 100, start: 156 }),
			skippedSamples: 312,
			playedSamples: 4800,
		},
		{
			what: 'skips more',
			edits: createEditList({ duration: 100, start: 1000 }),
			skippedSamples: 2000,
			playedSamples: 4800,
		},
		{
			what: 'plays more',
			edits: createEditList({ duration: 9999, start: 156 }),
			skippedSamples: 312,
			playedSamples: 7 * 2048 - 312,
		},
	])('applies an edit list that $what', async ({ edits, skippedSamples, playedSamples }) => {
		expect((await scanOpus({ others: [edits] })).links).toMatchObject([
			{ skippedSamples, playedSamples },
		]);
	});

	it.each<{ what: string; starts: [number, number] }>([
		{ what: 'leaves out a part', starts: [0, 4800] },
	])('rejects an edit list that $what', async ({ starts: [first, second] }) => {
		const edits = createEditList({ duration: 100, start: first }, { duration: 100, start: second });
		await expect(scanOpus({ others: [edits] })).rejects.toMatchObject({
			obstacle: { kind: 'edited' },
		});
	});
});

describe('an audio file in the ISO base media format', () => {
	const createAudioFile = (...others: Buffer[]) =>
		createMovieFileWithIndex({
			index: (offsets) => [createTrackBox({ tables: createUsualTables(offsets) }), ...others],
		});
	const createBrandedAudio = (brand: string, index = () => [createTrackBox()]) =>
		createMovieFileWithIndex({ brand, index });
	const createPictureTrack = (name: string) =>
		createTrackBox({ kind: 'vide', entry: createSampleEntry(name, Buffer.alloc(0)) });

	it.each<{ what: string; file: Buffer }>([
		{ what: 'AAC', file: createAudioFile() },
		{ what: 'ALAC', file: readAudioFile('lossless.m4a') },
		{
			what: 'AAC with chapters',
			file: createAudioFile(
				createTrackBox({ kind: 'text' }),
				createPictureTrack('jpeg'),
				createPictureTrack('png '),
			),
		},
		{ what: 'AAC whose index is at the end', file: readAudioFile('index-at-end.m4a') },
		{ what: 'audio without its index', file: createBox('ftyp', 'M4A ', u32(0)) },
		{ what: 'audio whose index is cut off', file: createBrandedAudio('M4A ').subarray(0, -1) },
		{
			what: 'audio whose index has too many tracks',
			file: createBrandedAudio('M4A ', () => new Array<Buffer>(101).fill(createTrackBox())),
		},
		{ what: 'audio whose index has no track', file: createBrandedAudio('M4A ', () => []) },
	])('is sent unchanged: $what', async ({ file }) => {
		expect(await scanBytes(scanIsobmff, file)).toEqual({ kind: 'unchanged' });
	});

	it.each(['isom', 'mp42', 'qt  ', '3gp4'])(
		'is rejected if its brand, %j, is also that of videos and the index cannot be read',
		async (brand) => {
			const cutOff = createBrandedAudio(brand).subarray(0, -1);
			expect(await readMovieFileObstacle(cutOff)).toEqual(damaged);
			const empty = createBrandedAudio(brand, () => []);
			expect(await readMovieFileObstacle(empty)).toEqual({ kind: 'noAudio' });
		},
	);

	it('is rejected if its index has only video, or audio of another codec', async () => {
		const video = createBrandedAudio('M4A ', () => [videoTrack]);
		expect(await readMovieFileObstacle(video)).toEqual({ kind: 'noAudio' });
		const entry = createSampleEntry('samr', Buffer.alloc(0));
		const amr = createBrandedAudio('M4A ', () => [createTrackBox({ entry })]);
		expect(await readMovieFileObstacle(amr)).toEqual({ kind: 'codec', codec: 'AMR' });
	});

	it('is not sent if reading its index fails', async () => {
		const file = createBrandedAudio('M4A ');
		const reader = createReader(file.subarray(0, -1));
		const { read } = reader;
		reader.read = async (length) => {
			if (length > 100) throw new Error('The connection was lost');
			return await read.call(reader, length);
		};
		await expect(scanIsobmff(reader, readAgain)).rejects.toThrow('The connection was lost');
	});

	it('is recognized without reading beyond the index', async () => {
		const reader = createReader(readAudioFile('faststart.m4a'), 64);
		expect(await scanIsobmff(reader, readAgain)).toEqual({ kind: 'unchanged' });
		expect(reader.position).toBeLessThan(readAudioFile('faststart.m4a').length / 2);
	});
});

it('finds the packets of a real video, and the codec of videos that it rejects', async () => {
	expect(await scanBytes(scanIsobmff, readAudioFile('with-video.mp4'))).toMatchObject({
		codec: 'aac',
		samplingRate: 16_000,
		channels: 1,
		durations: Uint32Array.of(79, 1024, 1, 128),
		playedParts: [{ skippedTicks: 1024, playedTicks: 80_000 }],
	});
	const pcm = { kind: 'codec', codec: 'PCM' };
	expect(await readMovieFileObstacle(readAudioFile('quicktime.mov'))).toEqual(pcm);
	expect(await readMovieFileObstacle(readAudioFile('free-quicktime.mov'))).toEqual(pcm);
});

describe('a damaged video', () => {
	const createMovieFileWithTables = (change: (offsets: number[]) => Buffer[]) =>
		createMovieFileWithIndex({
			index: (offsets) => [videoTrack, createTrackBox({ tables: change(offsets) })],
		});
	const createAllTables = (offsets: number[]) =>
		createUsualTables(offsets) as [Buffer, Buffer, Buffer, Buffer];
	const createMovieFileWithoutTable = (table: number) =>
		createMovieFileWithTables((offsets) =>
			createAllTables(offsets).filter((_, index) => index !== table),
		);

	it.each<{ what: string; file: Buffer }>([
		{ what: 'without an index', file: createBox('ftyp', 'isom', u32(0)) },
		{ what: 'with half an index', file: createMovieFile().subarray(0, -1) },
		{
			what: 'with a box shorter than its header',
			file: Buffer.concat([u32(4), Buffer.from('moov')]),
		},
		{
			what: 'with a long box shorter than its header',
			file: Buffer.concat([u32(1), Buffer.from('moov'), u32(0, 15)]),
		},
		{
			what: 'with a huge index',
			file: Buffer.concat([u32(1), Buffer.from('moov'), u32(9, 0), Buffer.alloc(100)]),
		},
		{ what: 'without durations', file: createMovieFileWithoutTable(0) },
		{ what: 'without offsets', file: createMovieFileWithoutTable(3) },
		{
			what: 'with sizes of 5 bits',
			file: createMovieFileWithTables((offsets) => [
				...createAllTables(offsets).slice(0, 2),
				createBox('stz2', u32(0, 5, 1, 1)),
				createStco(offsets),
			]),
		},
		{
			what: 'with fewer sizes',
			file: createMovieFileWithTables((offsets) => [
				...createAllTables(offsets).slice(0, 2),
				createBox('stsz', u32(0, 0, 8, ...sizes)),
				createStco(offsets),
			]),
		},
		{
			what: 'with fewer offsets',
			file: createMovieFileWithTables((offsets) => [
				...createAllTables(offsets).slice(0, 3),
				createBox('stco', u32(0, 4, ...offsets)),
			]),
		},
		{
			what: 'with a huge packet',
			file: createMovieFileWithTables((offsets) => [
				...createAllTables(offsets).slice(0, 2),
				createStsz([4 * 1024 * 1024 + 1]),
				createStco(offsets),
			]),
		},
		{ what: 'without a time scale', file: createMovieFile({ timescale: 0 }) },
	])('is rejected, such as one $what', async ({ file }) => {
		expect(await readMovieFileObstacle(file)).toEqual(damaged);
	});

	const tooManyPackets = { kind: 'tooManyPackets' };

	it('is too long if it has more than 5,000,000 packets', async () => {
		const createFileWithPackets = (count: number) =>
			createMovieFileWithTables((offsets) => [
				createStts(1, 1),
				createStsc(1, count, 1),
				createBox('stsz', u32(0, 0x10, count)),
				createStco(offsets),
			]);
		expect(await readMovieFileObstacle(createFileWithPackets(5_000_001))).toEqual(tooManyPackets);
		expect(await readMovieFileObstacle(createFileWithPackets(0xffffffff))).toEqual(tooManyPackets);
		// Packets that are not in the file are not counted.
		expect(
			((await scanBytes(scanIsobmff, createFileWithPackets(5_000_000))) as CopiedTrack).sizes
				.length,
		).toBeLessThan(100);
	});
});

it('is too long if its packets have more than 1,000,000 durations in a row', async () => {
	const createFileWithDurations = (count: number) => {
		const durations = Buffer.alloc(8 * count, u32(1, 1024, 1, 1023));
		const file = createMovieFileWithIndex({
			isIndexFirst: true,
			index: ([offset]) => [
				videoTrack,
				createTrackBox({
					tables: [
						createBox('stts', u32(0, count), durations),
						createStsc(1, count, 1),
						createBox('stsz', u32(0, 1, count)),
						createStco([offset!]),
					],
				}),
			],
		});
		return Buffer.concat([file, Buffer.alloc(count)]);
	};
	const track = (await scanBytes(scanIsobmff, createFileWithDurations(1_000_000))) as CopiedTrack;
	expect(track.durations).toHaveLength(2_000_000);
	expect(track.totalTicks).toBe(500_000 * (1024 + 1023));
	expect(await readMovieFileObstacle(createFileWithDurations(1_000_001))).toEqual({
		kind: 'tooManyPackets',
	});
});

describe('a file that ends before its audio begins', () => {
	const empty = [createStts(), createStsc(), createStsz([]), createStco([])];
	const defaults = createBox('mvex', createBox('trex', u32(0, 1, 1, 1024, 5, 0)));
	const createIndexFirst = (...others: Buffer[]) =>
		createMovieFileWithIndex({
			isIndexFirst: true,
			index: (offsets) => [createTrackBox({ tables: createUsualTables(offsets) }), ...others],
		});
	const createEmpty = (...others: Buffer[]) =>
		createMovieFileWithIndex({ index: () => [createTrackBox({ tables: empty }), ...others] });
	const cutAtData = (file: Buffer) => file.subarray(0, file.indexOf('mdat') + 4);
	const moof = createBox('moof', createBox('traf', createBox('tfhd', u32(0x20000, 9))));

	it.each<{ what: string; file: Buffer; kind: string }>([
		{
			what: 'a video that is cut off',
			file: cutAtData(createIndexFirst(videoTrack)),
			kind: 'headerOnly',
		},
		{
			what: 'audio that is cut off in its first packet',
			file: createIndexFirst().subarray(0, createIndexFirst().indexOf('mdat') + 4 + 11 + 3),
			kind: 'headerOnly',
		},
		{
			what: 'an initialization segment',
			file: createEmpty(videoTrack, defaults),
			kind: 'headerOnly',
		},
		{ what: 'an initialization segment of audio', file: createEmpty(defaults), kind: 'headerOnly' },
		{
			what: 'a fragment that is cut off',
			file: Buffer.concat([
				createEmpty(defaults),
				moof,
				createBox('mdat', 'video').subarray(0, -1),
			]),
			kind: 'headerOnly',
		},
		{
			what: 'fragments without audio',
			file: Buffer.concat([createEmpty(defaults), moof, createBox('mdat', 'video')]),
			kind: 'noAudio',
		},
		{ what: 'a video without packets', file: createEmpty(videoTrack), kind: 'noAudio' },
		{ what: 'audio without packets', file: createEmpty(), kind: 'noAudio' },
	])('is rejected before it is sent: $what ($kind)', async ({ file, kind }) => {
		expect(await readMovieFileObstacle(file)).toEqual({ kind });
	});

	it('is sent unchanged if the description of its packets is damaged', async () => {
		const file = createMovieFileWithIndex({ index: () => [createTrackBox({ tables: [] })] });
		expect(await readMovieFileObstacle(file)).toEqual({ kind: 'unchanged' });
	});
});

describe('a file with millions of small boxes', () => {
	const file = createBox('ftyp', 'isom', u32(512));

	it('is rejected after a few of them', async () => {
		const boxes = Buffer.alloc(8_000_000, createBox('abcd'));
		const reader = createReader(Buffer.concat([file, boxes]));
		await expect(scanIsobmff(reader, readAgain)).rejects.toMatchObject({ obstacle: damaged });
		expect(reader.position).toBeLessThan(200_000);
	});

	it('is rejected if they are in its index', async () => {
		const boxes = Buffer.alloc(8_000_000, createBox('abcd'));
		const movie = createBox('moov', createBox('trak', boxes));
		expect(await readMovieFileObstacle(Buffer.concat([file, movie]))).toEqual(damaged);
	});

	it('is converted if they are the smallest fragments that a recorder writes', async () => {
		const count = 20_000;
		const index = createMovieFileWithIndex({
			index: () => [
				videoTrack,
				createTrackBox({ tables: [createStts(), createStsc(), createStsz([]), createStco([])] }),
				createBox('mvex', createBox('trex', u32(0, 1, 1, 1024, 0, 0))),
			],
		});
		const fragment = (length: number) =>
			createBox(
				'moof',
				createBox('mfhd', u32(0, 1)),
				createBox(
					'traf',
					createBox('tfhd', u32(0x20000, 1)),
					createBox('trun', u32(0x201, 1, length + 16, 1)),
				),
			);
		const moof = fragment(fragment(0).length);
		const unit = Buffer.concat([moof, createBox('wide'), createBox('mdat', '.')]);
		const track = (await scanBytes(
			scanIsobmff,
			Buffer.concat([index, Buffer.alloc(count * unit.length, unit)]),
		)) as CopiedTrack;
		expect(track.sizes).toHaveLength(count);
	});
});

describe('a file that begins as a segment of a stream', () => {
	const styp = createBox('styp', 'dash', u32(1), 'isom');
	const sidx = createBox('sidx', Buffer.alloc(24));
	const emsg = createBox('emsg', Buffer.alloc(40));
	const prft = createBox('prft', Buffer.alloc(24));
	const relative = { tables: [createStts(), createStsc(), createStsz([]), createStco([])] };
	const index = createMovieFileWithIndex({
		brand: '',
		chunks: [],
		index: () => [
			createTrackBox(relative),
			createBox('mvex', createBox('trex', u32(0, 1, 1, 1024, 5, 0))),
		],
	});
	const createMoof = (length: number) =>
		createBox(
			'moof',
			createBox(
				'traf',
				createBox('tfhd', u32(0x20000, 1)),
				createBox('trun', u32(0x201, sizes.length, length + 8, ...sizes)),
			),
		);
	const media = Buffer.concat([createMoof(createMoof(0).length), createBox('mdat', ...packets)]);

	it.each<{ what: string; start: Buffer[] }>([
		{ what: 'styp', start: [styp] },
		{ what: 'sidx', start: [sidx] },
		{ what: 'emsg', start: [emsg, styp] },
		{ what: 'prft', start: [prft] },
		{ what: 'styp and ftyp', start: [styp, createBox('ftyp', 'isom', u32(512))] },
	])('is converted, even if it has only audio: $what', async ({ start }) => {
		const file = Buffer.concat([...start, index, styp, media]);
		expect(await scanMovieFile(file)).toMatchObject(describedTrack);
		const reversed = Buffer.concat([...start, media, index]);
		expect(await scanMovieFile(reversed)).toMatchObject(describedTrack);
	});

	it.each<{ what: string; start: Buffer[] }>([
		{ what: 'styp', start: [styp] },
		{ what: 'moof', start: [] },
		{ what: 'ftyp', start: [createBox('ftyp', 'iso5', u32(512))] },
	])('is rejected without the description of its audio: $what', async ({ start }) => {
		const file = Buffer.concat([...start, media]);
		expect(await readMovieFileObstacle(file)).toEqual({ kind: 'segment' });
	});
});
