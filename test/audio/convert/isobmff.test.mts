import { scanIsobmff } from '../../../nodes/VoiceSpeech/audio/convert/isobmff/scanIsobmff.ts';
import type {
	CopiedTrack,
	OpusTrack,
	PlayedPart,
} from '../../../nodes/VoiceSpeech/audio/convert/track.ts';
import { readAudioFile } from '../../support/media/audioFiles.mts';
import { collect, createReader, readObstacle, scanBytes } from '../../support/media/conversion.mts';
import {
	aacConfig,
	createBox,
	createEditList,
	createEsds,
	createLongBox,
	createMovieFile,
	createMovieHeader,
	createSampleEntry,
	createStco,
	createStsc,
	createStsz,
	createStts,
	createTrackBox,
	createUsualTables,
	describedTrack,
	type Edit,
	emptyTables,
	packets,
	sizes,
	type Tables,
	type TrackOptions,
	u16,
	u32,
	videoTrack,
} from '../../support/media/isobmff.mts';

/** The track of a video, after checking that a second reading returns its packets. */
async function scanMovieFile(file: Buffer, expected = packets, chunkBytes?: number) {
	const track = (await scanBytes(scanIsobmff, file, chunkBytes)) as CopiedTrack;
	expect(await collect(track.readPackets(createReader(file, chunkBytes)))).toEqual(expected);
	return track;
}

/** Why the audio of a video is not copied. */
const readMovieFileObstacle = async (file: Buffer) =>
	await readObstacle(scanBytes(scanIsobmff, file));

const damaged = { kind: 'damaged' };

const readAgain = async () => {
	throw new Error('It is not read again');
};

/** A sample entry of AAC with this AudioSpecificConfig. */
const createAacEntry = (...config: number[]) => createSampleEntry('mp4a', createEsds(config));

/** A sample entry without a description. */
const createBareEntry = (name: string) => createSampleEntry(name, Buffer.alloc(0));

/** A video whose track differs from the usual one. */
const createWithTrack = (track: TrackOptions) => createMovieFile({ track });

/** A video with these tables in place of the usual ones. */
const createWithTables = (tables: Tables) => createMovieFile({ tables: () => tables });

/** A file with only this track. */
const createAudioFile = (track: TrackOptions, brand = 'isom') =>
	createMovieFile({ brand, index: () => [createTrackBox(track)] });

describe('the scan of a video', () => {
	const createBoxToTheEnd = (content: Buffer) =>
		Buffer.concat([u32(0), Buffer.from('mdat'), content]);
	const createCo64 = (offsets: number[]) => {
		const numbers = offsets.flatMap((offset) => [0, offset]);
		return { stco: createBox('co64', u32(0, offsets.length, ...numbers)) };
	};

	it.each<[what: string, file: Buffer]>([
		['with the index first', createMovieFile({ isIndexFirst: true })],
		['without a brand', createMovieFile({ brand: '' })],
		['with a 64-bit length', createMovieFile({ data: (all) => createLongBox('mdat', all) })],
		['to the end', createMovieFile({ isIndexFirst: true, data: createBoxToTheEnd })],
		['with co64', createMovieFile({ tables: createCo64 })],
		['with few durations', createWithTables({ stts: createStts(1, 1024) })],
	])('finds the packets %s', async (_, file) => {
		expect(await scanMovieFile(file)).toMatchObject(describedTrack);
		expect(await scanMovieFile(file, packets, 1)).toMatchObject(describedTrack);
	});

	it.each<[bits: number, table: Buffer]>([
		[4, Buffer.from([0x56, 0x78, 0x9a, 0xb0])],
		[8, Buffer.from(sizes)],
		[16, u16(...sizes)],
	])('finds the packets if the size table has %i bits', async (bits, table) => {
		const createFile = (content: Buffer) =>
			createWithTables({ stsz: createBox('stz2', u32(0, bits, 7), content) });
		expect(await scanMovieFile(createFile(table))).toMatchObject(describedTrack);
		expect(await readMovieFileObstacle(createFile(table.subarray(1)))).toEqual(damaged);
	});

	it('finds packets of one size and of different durations', async () => {
		const file = createWithTables({
			// A negative duration is one tick, as in ffmpeg.
			stts: createStts(2, 10, 1, 0, 2, 20, 1, 0x80000000, 1, 0xffffffff),
			stsc: createStsc(1, 3, 1),
			stsz: createBox('stsz', u32(0, 4, 7)),
		});
		const track = (await scanBytes(scanIsobmff, file)) as CopiedTrack;
		expect(track.sizes).toEqual(Uint32Array.from([4, 4, 4, 4, 4, 4, 4]));
		expect(track.durations).toEqual(Uint32Array.of(2, 10, 1, 0, 2, 20, 2, 1));
	});

	it('finds the packets before the end of a file that is cut off', async () => {
		const file = createMovieFile({
			tables: () => ({ stts: createStts(6, 1024, 1, 7) }),
			isIndexFirst: true,
		});
		expect((await scanMovieFile(file)).durations).toHaveLength(4);
		const cut = await scanMovieFile(file.subarray(0, -1), packets.slice(0, 6));
		expect(cut.durations).toEqual(Uint32Array.of(6, 1024));
		expect(cut.sizes).toHaveLength(6);
		// The last chunk has two packets, and other bytes before it.
		const chunk = sizes[5]! + sizes[6]!;
		await scanMovieFile(file.subarray(0, -chunk), packets.slice(0, 5));
		await scanMovieFile(file.subarray(0, -chunk - 12), packets.slice(0, 4));
		expect(await readMovieFileObstacle(file.subarray(0, 600))).toEqual(damaged);
	});

	it('lets other work run', async () => {
		const yieldToEventLoop = jest.fn();
		const count = (file: Buffer) => createReader(file, undefined, yieldToEventLoop);
		const many = 20_000;
		const start = createMovieFile({
			tables: ([offset]) => ({
				stts: createStts(many, 1),
				stsc: createStsc(1, many, 1),
				stsz: createBox('stsz', u32(0, 1, many)),
				stco: createStco(offset!),
			}),
			isIndexFirst: true,
		});
		const file = Buffer.concat([start, Buffer.alloc(many)]);
		const track = (await scanIsobmff(count(file), readAgain)) as CopiedTrack;
		expect(track.sizes).toHaveLength(many);
		expect(yieldToEventLoop.mock.calls.length).toBeGreaterThan(4);
		yieldToEventLoop.mockClear();
		await collect(track.readPackets(count(file)));
		expect(yieldToEventLoop.mock.calls.length).toBeGreaterThanOrEqual(many / 100);
	});
});

describe('the scan of a video with an edit list', () => {
	const readParts = async (edits: Buffer) =>
		(await scanMovieFile(createWithTrack({ others: [edits] }))).playedParts;
	const createEdits = (...fields: number[]) => createBox('edts', createBox('elst', u32(...fields)));
	const edit = (duration: number, start: number): Edit => ({ duration, start });
	const part = (skippedTicks: number, playedTicks: number): PlayedPart => ({
		skippedTicks,
		playedTicks,
	});

	it.each<[what: string, edits: Edit[], expected: PlayedPart[] | undefined]>([
		['begins with an empty part', [edit(500, -1), edit(100, 1024)], [part(1024, 4410)]],
		['has no duration', [edit(0, 1024)], [part(1024, 6 * 1024)]],
		['has two parts', [edit(10, 1024), edit(10, 4096)], [part(1024, 441), part(4096, 441)]],
		['has two parts without a gap', [edit(10, 1024), edit(10, 1465)], [part(1024, 882)]],
		['has a gap due to rounding', [edit(10, 1024), edit(10, 1509)], [part(1024, 926)]],
		['has empty parts too', [edit(0, 0), edit(10, 1024), edit(0, 4096)], [part(1024, 441)]],
		['starts after the end', [edit(100, 7 * 1024)], undefined],
	])('applies a list that %s', async (_, edits, expected) => {
		expect(await readParts(createEditList(...edits))).toEqual(expected);
	});

	it('applies a list with numbers of 64 bits, and none that is cut off', async () => {
		const long = [2 ** 24, 1, 0, 100];
		expect(await readParts(createEdits(...long, 0, 1024, 0))).toEqual([part(1024, 4410)]);
		expect(await readParts(createEdits(...long, 2 ** 32 - 1, 2 ** 32 - 1, 0))).toBeUndefined();
		expect(await readParts(createEdits(0, 1, 100))).toBeUndefined();
	});

	it('rejects a list of more than 10,000 parts', async () => {
		const createLongList = (count: number) =>
			createEditList(...new Array<Edit>(count).fill(edit(10, 1024)));
		expect(await readParts(createLongList(10_000))).toHaveLength(10_000);
		const tooMany = createWithTrack({ others: [createLongList(10_001)] });
		expect(await readMovieFileObstacle(tooMany)).toEqual({ kind: 'edited' });
	});

	it('ignores the list if the movie has no time scale', async () => {
		const others = [createEditList(edit(1, 1))];
		const file = createMovieFile({
			index: (offsets) => [
				videoTrack,
				createTrackBox({ tables: createUsualTables(offsets), others }),
			],
		});
		expect((await scanMovieFile(file)).playedParts).toBeUndefined();
	});
});

describe('the scan of a video with several tracks', () => {
	const createMovieFileWithTracks = (...tracks: TrackOptions[]) =>
		createMovieFile({
			index: (offsets) => [
				videoTrack,
				...tracks.map((track) =>
					createTrackBox({ id: 2, tables: createUsualTables(offsets), ...track }),
				),
			],
		});
	const mono = { entry: createAacEntry(0x12, 0x08) };
	const ac3 = { entry: createBareEntry('ac-3') };
	const off = { flags: 0 };
	const fallback = { others: [createBox('tref', createBox('fall', u32(4)))] };
	const inOtherCodec = { ...ac3, ...fallback };

	it.each<[what: string, tracks: TrackOptions[], channels: number]>([
		['is the first that is enabled', [{ flags: 6 }, { ...mono, flags: 7 }], 1],
		['is the first if none is enabled', [off, { ...mono, ...off }], 2],
		['can be converted if several are enabled', [ac3, mono], 1],
		['replaces it', [inOtherCodec, { id: 5, ...off }, { id: 4, ...mono, ...off }], 1],
		['can be converted, and not its fallback', [fallback, { id: 4, ...mono, ...off }], 2],
	])('takes the track that %s', async (_, tracks, channels) => {
		expect(await scanMovieFile(createMovieFileWithTracks(...tracks))).toMatchObject({ channels });
	});

	it.each<[what: string, tracks: TrackOptions[]]>([
		['another track is not enabled', [ac3, off]],
		['its fallback is not converted', [inOtherCodec, off, { id: 4, ...ac3, ...off }]],
	])('rejects the enabled track if %s', async (_, tracks) => {
		const obstacle = { kind: 'codec', codec: 'AC-3' };
		expect(await readMovieFileObstacle(createMovieFileWithTracks(...tracks))).toEqual(obstacle);
	});

	it('finds the only audio among 100 tracks, and rejects 101', async () => {
		const createFile = (count: number) => {
			const videos = new Array<TrackOptions>(count - 1).fill({ kind: 'vide' });
			return createMovieFileWithTracks(...videos, mono);
		};
		expect(await scanMovieFile(createFile(99))).toMatchObject({ channels: 1 });
		expect(await readMovieFileObstacle(createFile(100))).toEqual(damaged);
	});
});

describe('the scan of a sample entry', () => {
	const cookie = Buffer.concat([
		u32(4096),
		Buffer.from([0, 24, 40, 10, 14, 1]),
		Buffer.alloc(10),
		u32(96_000),
	]);
	const alac = createSampleEntry('alac', createBox('alac', u32(0), cookie));
	const inWave = [createBox('frma', 'mp4a'), createEsds(aacConfig), createBox('\0\0\0\0')];
	const wave = createBox('wave', ...inWave);
	const createAac = (esds: Buffer, options = {}) => createSampleEntry('mp4a', esds, options);
	const optionalFields = { flags: 0xe0, optional: [0, 7, 2, 65, 66, 0, 9] };
	const mpeg2 = createEsds(aacConfig, { objectType: 0x67 });

	it.each<[what: string, entry: Buffer, expected: object]>([
		['AAC of QuickTime, version 1', createAac(wave, { version: 1 }), describedTrack],
		['AAC of QuickTime, version 2', createAac(wave, { version: 2 }), describedTrack],
		['MPEG-2 AAC', createAac(mpeg2), describedTrack],
		['AAC with more fields', createAac(createEsds(aacConfig, optionalFields)), describedTrack],
		['channels of the entry', createAac(createEsds([0x12, 0]), { channels: 5 }), { channels: 5 }],
		['HE-AAC', createAacEntry(0x2b, 0x92, 0x08, 0), { samplingRate: 22_050, channels: 2 }],
		['another rate', createAacEntry(0x17, 0x80, 0x1f, 0x40, 0x10), { samplingRate: 16_000 }],
		['ALAC', alac, { codec: 'alac', config: cookie, samplingRate: 96_000, channels: 1 }],
	])('copies %s from a video', async (_, entry, expected) => {
		expect(await scanMovieFile(createWithTrack({ entry }))).toMatchObject(expected);
	});

	it('reads no other fields in version 1 of ISO/IEC 14496-12', async () => {
		const entry = createSampleEntry('mp4a', createEsds(aacConfig));
		entry.writeUInt16BE(1, 16);
		await scanMovieFile(createWithTrack({ entry, descriptionVersion: 1 }));
		expect(await readMovieFileObstacle(createWithTrack({ entry }))).toEqual(damaged);
	});

	it.each<[codec: string, entry: Buffer]>([
		['encrypted', createSampleEntry('enca', createEsds(aacConfig))],
		['MP3', createAac(createEsds(aacConfig, { objectType: 0x6b }))],
		['ALS', createAacEntry(0xf8, 0x80, 0, 0)],
		['MPEG-4 audio of type 43', createAacEntry(0xf9, 0x60, 0, 0)],
		['MP3', createBareEntry('ms\0U')],
		['Microsoft ADPCM', createBareEntry('ms\0\u0002')],
		['msvc', createBareEntry('msvc')],
		['FLAC', createBareEntry('fLaC')],
		['Vorbis', createAac(createEsds(aacConfig, { objectType: 0xdd }))],
	])('rejects %s in a video and in audio', async (codec, entry) => {
		const obstacle = { kind: 'codec', codec };
		expect(await readMovieFileObstacle(createWithTrack({ entry }))).toEqual(obstacle);
		expect(await readMovieFileObstacle(createAudioFile({ entry }))).toEqual(obstacle);
	});

	it.each<[what: string, entry: Buffer]>([
		['AAC without its description', createBareEntry('mp4a')],
		['AAC with half a configuration', createAacEntry(0x12)],
		['AAC with an unknown rate', createAacEntry(0x16, 0x90)],
		['Opus without its description', createBareEntry('Opus')],
		['a name without letters', createBareEntry('\u0001\u0002\u0003\u0004')],
		['an entry that is cut off', createBox('mp4a', Buffer.alloc(27))],
	])('reports %s as damage in a video, and sends it unchanged as audio', async (_, entry) => {
		expect(await readMovieFileObstacle(createWithTrack({ entry }))).toEqual(damaged);
		const unchanged = { kind: 'unchanged' };
		expect(await readMovieFileObstacle(createAudioFile({ entry }))).toEqual(unchanged);
		expect(await readMovieFileObstacle(createAudioFile({ entry }, 'qt  '))).toEqual(damaged);
	});
});

describe('the scan of a video with Opus', () => {
	const head = [Buffer.from([0, 1]), u16(312), u32(48_000), Buffer.from([0xff, 0, 0])];
	const entry = createSampleEntry('Opus', createBox('dOps', ...head));

	async function scanOpus(...edits: Edit[]): Promise<OpusTrack> {
		const others = edits.length === 0 ? [] : [createEditList(...edits)];
		const file = createMovieFile({ track: { entry, timescale: 24_000, others } });
		const found = (await scanBytes(scanIsobmff, file)) as OpusTrack;
		expect(await collect(found.readPackets(createReader(file)))).toEqual(packets);
		return found;
	}

	it('creates the header that OGG has', async () => {
		const oggHead = Buffer.from('4f707573486561640101380180bb000000ff00', 'hex');
		const samples = { skippedSamples: 312, playedSamples: 7 * 2048 - 312 };
		const links = [{ head: oggHead, packetCount: 7, ...samples }];
		expect(await scanOpus()).toMatchObject({ kind: 'opus', links, packetBytes: 56 });
	});

	it.each([
		['repeats the skip', { duration: 100, start: 156 }, [312, 4800]],
		['plays more', { duration: 9999, start: 156 }, [312, 7 * 2048 - 312]],
	])('applies an edit list that %s', async (_, edit, [skippedSamples, playedSamples]) => {
		expect((await scanOpus(edit)).links).toMatchObject([{ skippedSamples, playedSamples }]);
	});

	it('rejects an edit list that leaves out a part', async () => {
		const edits = [0, 4800].map((start) => ({ duration: 100, start }));
		await expect(scanOpus(...edits)).rejects.toMatchObject({ obstacle: { kind: 'edited' } });
	});
});

describe('an audio file in the ISO base media format', () => {
	const createIndexed = (brand: string, ...index: Buffer[]) =>
		createMovieFile({ brand, index: () => index });
	const createPictureTrack = (name: string) =>
		createTrackBox({ kind: 'vide', entry: createBareEntry(name) });
	const chapters = [
		createTrackBox({ kind: 'text' }),
		createPictureTrack('jpeg'),
		createPictureTrack('png '),
	];
	const tooMany = new Array<Buffer>(101).fill(createTrackBox());

	it.each<[what: string, file: Buffer]>([
		['ALAC', readAudioFile('lossless.m4a')],
		['AAC with chapters', createIndexed('isom', createTrackBox(), ...chapters)],
		['audio without its index', createBox('ftyp', 'M4A ', u32(0))],
		['audio whose index is cut off', createAudioFile({}, 'M4A ').subarray(0, -1)],
		['audio with too many tracks', createIndexed('M4A ', ...tooMany)],
		['audio whose index has no track', createIndexed('M4A ')],
	])('is sent unchanged: %s', async (_, file) => {
		expect(await scanBytes(scanIsobmff, file)).toEqual({ kind: 'unchanged' });
	});

	it.each(['isom', 'mp42', 'qt  ', '3gp4'])(
		'is rejected if its brand, %j, is also that of videos and the index cannot be read',
		async (brand) => {
			const cutOff = createAudioFile({}, brand).subarray(0, -1);
			expect(await readMovieFileObstacle(cutOff)).toEqual(damaged);
			const empty = createIndexed(brand);
			expect(await readMovieFileObstacle(empty)).toEqual({ kind: 'noAudio' });
		},
	);

	it('is rejected if its index has only video, or audio of another codec', async () => {
		const video = createIndexed('M4A ', videoTrack);
		expect(await readMovieFileObstacle(video)).toEqual({ kind: 'noAudio' });
		const amr = createAudioFile({ entry: createBareEntry('samr') }, 'M4A ');
		expect(await readMovieFileObstacle(amr)).toEqual({ kind: 'codec', codec: 'AMR' });
	});

	it('is not sent if reading its index fails', async () => {
		const reader = createReader(createAudioFile({}, 'M4A ').subarray(0, -1));
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

const createReversed = ([first, second, third]: number[]) => ({
	stco: createStco(second!, first!, third!),
});
const silent = createMovieFile({ index: () => [createMovieHeader(), videoTrack] });

it.each<[what: string, file: Buffer, kind?: string]>([
	['without audio', silent, 'noAudio'],
	['whose packets are not in playing order', createMovieFile({ tables: createReversed }), 'order'],
	['without an index', createBox('ftyp', 'isom', u32(0))],
	['with half an index', createMovieFile().subarray(0, -1)],
	['with a box shorter than its header', Buffer.concat([u32(4), Buffer.from('moov')])],
	['with a short long box', Buffer.concat([u32(1), Buffer.from('moov'), u32(0, 15)])],
	['with a huge index', Buffer.concat([u32(1), Buffer.from('moov'), u32(9, 0, 0, 0, 0, 0)])],
	['without durations', createWithTables({ stts: Buffer.alloc(0) })],
	['without offsets', createWithTables({ stco: Buffer.alloc(0) })],
	['with sizes of 5 bits', createWithTables({ stsz: createBox('stz2', u32(0, 5, 1, 1)) })],
	['with fewer sizes', createWithTables({ stsz: createBox('stsz', u32(0, 0, 8, ...sizes)) })],
	['with fewer offsets', createWithTables({ stco: createBox('stco', u32(0, 4, 1, 1, 1)) })],
	['with a huge packet', createWithTables({ stsz: createStsz([2 ** 22 + 1]) })],
	['without a time scale', createWithTrack({ timescale: 0 })],
])('a video %s is rejected', async (_, file, kind = 'damaged') => {
	expect(await readMovieFileObstacle(file)).toEqual({ kind });
});

// test/audio/convert/track.test.mts tests the limits.
it('counts the packets that a file has, up to the limit', async () => {
	const createFileWithPackets = (count: number) =>
		createWithTables({
			stts: createStts(1, 1),
			stsc: createStsc(1, count, 1),
			stsz: createBox('stsz', u32(0, 0x10, count)),
		});
	const tooManyPackets = { kind: 'tooManyPackets' };
	expect(await readMovieFileObstacle(createFileWithPackets(0xffffffff))).toEqual(tooManyPackets);
	const track = await scanBytes(scanIsobmff, createFileWithPackets(100_000));
	expect((track as CopiedTrack).sizes.length).toBeLessThan(100);
});

/** Defaults of fragments: 1,024 ticks and this size, and those of the video. */
const createDefaults = (size: number) =>
	createBox(
		'mvex',
		createBox('mehd', u32(0, 0)),
		createBox('trex', u32(0, 9, 1, 1, 30, 0)),
		createBox('trex', u32(0, 1, 1, 1024, size, 0)),
	);

describe('a file that ends before its audio begins', () => {
	const defaults = createDefaults(5);
	const createIndexFirst = (...others: Buffer[]) =>
		createMovieFile({
			isIndexFirst: true,
			index: (offsets) => [createTrackBox({ tables: createUsualTables(offsets) }), ...others],
		});
	const createEmpty = (...others: Buffer[]) =>
		createMovieFile({ index: () => [createTrackBox({ tables: emptyTables }), ...others] });
	const cutAfterData = (file: Buffer, bytes: number) =>
		file.subarray(0, file.indexOf('mdat') + 4 + bytes);
	const moof = createBox('moof', createBox('traf', createBox('tfhd', u32(0x20000, 9))));
	const fragments = Buffer.concat([createEmpty(defaults), moof, createBox('mdat', 'video')]);

	it.each<[what: string, kind: string, file: Buffer]>([
		['a video that is cut off', 'headerOnly', cutAfterData(createIndexFirst(videoTrack), 0)],
		['audio cut off in its first packet', 'headerOnly', cutAfterData(createIndexFirst(), 11 + 3)],
		['an initialization segment', 'headerOnly', createEmpty(videoTrack, defaults)],
		['an initialization segment of audio', 'headerOnly', createEmpty(defaults)],
		['a fragment that is cut off', 'headerOnly', fragments.subarray(0, -1)],
		['fragments without audio', 'noAudio', fragments],
		['a video without packets', 'noAudio', createEmpty(videoTrack)],
		['audio without packets', 'noAudio', createEmpty()],
	])('is rejected before it is sent: %s (%s)', async (_, kind, file) => {
		expect(await readMovieFileObstacle(file)).toEqual({ kind });
	});
});

/** A track of a fragment: the fields of `tfhd` and of each `trun`. */
const createTraf = (header: number[], ...runs: number[][]) =>
	createBox(
		'traf',
		createBox('tfhd', u32(...header)),
		...runs.map((fields) => createBox('trun', u32(...fields))),
	);

/** Makes the tracks of a fragment from the length of `moof`, and from its offset in the file. */
type MakeTracks = (length: number, offset: number) => Buffer[];

function createMoof(makeTracks: MakeTracks, offset = 0): Buffer {
	const { length } = createBox('moof', ...makeTracks(0, 0));
	return createBox('moof', ...makeTracks(length, offset));
}

/** A track with packets of these lengths, which are the first in the `mdat` after `moof`. */
const describePackets =
	(lengths: number[]): MakeTracks =>
	(length) => [createTraf([0x20000, 1], [0x201, lengths.length, length + 8, ...lengths])];

describe('a file with millions of small boxes', () => {
	const start = createBox('ftyp', 'isom', u32(512));
	const boxes = Buffer.alloc(8_000_000, createBox('abcd'));

	it('is rejected after a few of them', async () => {
		const reader = createReader(Buffer.concat([start, boxes]));
		await expect(scanIsobmff(reader, readAgain)).rejects.toMatchObject({ obstacle: damaged });
		expect(reader.position).toBeLessThan(200_000);
		const movie = createBox('moov', createBox('trak', boxes));
		expect(await readMovieFileObstacle(Buffer.concat([start, movie]))).toEqual(damaged);
	});

	it('is converted if they are the smallest fragments that a recorder writes', async () => {
		const count = 6000;
		const tracks = [videoTrack, createTrackBox({ tables: emptyTables }), createDefaults(0)];
		const index = createMovieFile({ index: () => tracks });
		const unit = Buffer.concat([createMoof(describePackets([1])), createBox('mdat', '.')]);
		const file = Buffer.concat([index, Buffer.alloc(count * unit.length, unit)]);
		expect(((await scanBytes(scanIsobmff, file)) as CopiedTrack).sizes).toHaveLength(count);
	});
});

describe('a file that begins as a segment of a stream', () => {
	const ftyp = createBox('ftyp', 'iso5', u32(512));
	const styp = createBox('styp', 'dash', u32(1), 'isom');
	const index = createBox('moov', createTrackBox({ tables: emptyTables }), createDefaults(5));
	const moof = createMoof(describePackets(sizes));
	const media = Buffer.concat([moof, createBox('mdat', ...packets)]);

	it.each<[what: string, start: Buffer[]]>([
		['styp', [styp]],
		['sidx', [createBox('sidx', Buffer.alloc(24))]],
		['emsg', [createBox('emsg', Buffer.alloc(40)), styp]],
		['prft', [createBox('prft', Buffer.alloc(24))]],
		['styp and ftyp', [styp, ftyp]],
	])('is converted, even if it has only audio: %s', async (_, start) => {
		const file = Buffer.concat([...start, index, styp, media]);
		expect(await scanMovieFile(file)).toMatchObject(describedTrack);
		const reversed = Buffer.concat([...start, media, index]);
		expect(await scanMovieFile(reversed)).toMatchObject(describedTrack);
	});

	it.each<[what: string, start: Buffer[]]>([
		['styp', [styp]],
		['moof', []],
		['ftyp', [ftyp]],
	])('is rejected without the description of its audio: %s', async (_, start) => {
		const file = Buffer.concat([...start, media]);
		expect(await readMovieFileObstacle(file)).toEqual({ kind: 'segment' });
	});
});

describe('the scan of a fragmented video', () => {
	const [first, second] = [packets.slice(0, 3), packets.slice(3)];
	const start = Buffer.concat([
		createBox('ftyp', 'iso5', u32(512)),
		createBox('moov', videoTrack, createTrackBox({ tables: emptyTables }), createDefaults(5)),
	]);

	/** Adds `moof` and `mdat` to a file. */
	const addFragment = (file: Buffer, makeTracks: MakeTracks, data: Buffer[]) =>
		Buffer.concat([file, createMoof(makeTracks, file.length), createBox('mdat', ...data)]);

	const describeFirst = describePackets(sizes.slice(0, 3));
	const describeSecond = describePackets(sizes.slice(3));

	it.each<[what: string, one: MakeTracks, two: MakeTracks]>([
		['offsets from the fragment', describeFirst, describeSecond],
		[
			'absolute offsets',
			(length, offset) => [createTraf([1, 1, 0, offset], [0x201, 3, length + 8, 5, 6, 7])],
			(length, offset) => [createTraf([1, 1, 0, offset + length], [0x201, 4, 8, 8, 9, 10, 11])],
		],
		[
			'several runs and all fields',
			(length) => [
				createTraf(
					[0x2000a, 1, 1, 1024],
					[0x305, 1, length + 8, 0, 1024, 5],
					[0xe00, 2, 6, 0, 0, 7, 0, 0],
				),
			],
			(length) => [createTraf([0x20038, 1, 1024, 8, 0], [1, 1, length + 8], [0x200, 3, 9, 10, 11])],
		],
	])('finds the packets of fragments with %s', async (_, one, two) => {
		const head = Buffer.concat([addFragment(start, one, first), createBox('free')]);
		const file = addFragment(head, two, second);
		expect(await scanMovieFile(file)).toMatchObject(describedTrack);
		expect(await scanMovieFile(file, packets, 1)).toMatchObject(describedTrack);
	});

	it('finds the packets of fragments in which one track follows the other', async () => {
		const makeTracks: MakeTracks = (length) => [
			createTraf([0, 9], [1, 2, length + 8]),
			createTraf([0, 9], [0x200, 2, 4, 6]),
			createTraf([0, 1], [0x200, 7, ...sizes]),
		];
		const video = Buffer.alloc(2 * 30 + 10, 'video');
		const file = addFragment(start, makeTracks, [video, ...packets]);
		expect(await scanMovieFile(file)).toMatchObject(describedTrack);
	});

	it('finds the packets of fragments that are stored before their header', async () => {
		const mdat = createBox('mdat', ...packets);
		const offset = 2 ** 32 - (mdat.length - 8);
		const moof = createMoof(() => [createTraf([0x20000, 1], [0x201, 7, offset, ...sizes])]);
		expect(await scanMovieFile(Buffer.concat([start, mdat, moof]))).toMatchObject(describedTrack);
	});

	it('finds the packets of a recording that was not finished', async () => {
		const one = addFragment(start, describeFirst, first);
		const whole = addFragment(one, describeSecond, second);
		await scanMovieFile(whole.subarray(0, one.length + 20), first);
		await scanMovieFile(whole.subarray(0, -1), packets.slice(0, 6));
		await scanMovieFile(Buffer.concat([one, u32(3, 3, 3)]), first);
	});

	const createHugeNumber = (id: number) => createTraf([0x20010, id, 0], [0, 0xffffffff]);

	it.each<[what: string, kind: string, traf: Buffer]>([
		['a short run', 'damaged', createTraf([0x20000, 1], [0x200, 9, 1])],
		['a track without a header', 'damaged', createBox('traf', createBox('trun', u32(0x200, 1, 1)))],
		['a run without a number', 'damaged', createTraf([0x20000, 1], [0])],
		['a huge number of packets', 'tooManyPackets', createHugeNumber(1)],
		['a huge number of packets of another track', 'noAudio', createHugeNumber(9)],
	])('rejects %s: %s', async (_, kind, traf) => {
		const file = Buffer.concat([start, createBox('moof', traf)]);
		expect(await readMovieFileObstacle(file)).toEqual({ kind });
	});
});
