import { probeBytes } from '../support/media/audioFiles.mts';
import { createSampleEntry, createTrackBox, type TrackOptions } from '../support/media/movies.mts';
import {
	createBox,
	createEsds,
	createLongBox,
	createLongTimes,
	createTimes,
	u32,
} from '../support/media/isobmff.mts';

/** AAC, 16 kHz, one channel: 5 bits 2 (AAC), 4 bits 8 (16 kHz), 4 bits 1 (channels). */
const plain = [0x14, 0x08];

const ftyp = createBox('ftyp', 'M4A ', u32(0), 'M4A isom');

/** A file that consists of its index. */
const createFile = (...index: Buffer[]) => Buffer.concat([ftyp, createBox('moov', ...index)]);

/** A track of ten seconds with one channel at 16 kHz. */
const createAudioTrack = (options: TrackOptions = {}) =>
	createTrackBox({
		entry: createSampleEntry('mp4a', createEsds(plain)),
		mediaHeader: createTimes(16_000, 160_000),
		...options,
	});

const picture = createTrackBox({ kind: 'vide' });

const withoutLength = { samplingRate: 16_000, channels: 1 };
const all = { seconds: 10, ...withoutLength };

it.each<{ what: string; bytes: Buffer }>([
	{
		what: 'with 64-bit times',
		bytes: createFile(createAudioTrack({ mediaHeader: createLongTimes(16_000, 160_000n) })),
	},
	{ what: 'with sound after a picture', bytes: createFile(picture, createAudioTrack()) },
	{
		what: 'with sound after an empty track',
		bytes: createFile(createBox('trak'), createAudioTrack()),
	},
	{
		what: 'with an index whose length has 64 bits',
		bytes: Buffer.concat([ftyp, createLongBox('moov', createAudioTrack())]),
	},
	{
		what: 'with an index to the end of the file',
		bytes: Buffer.concat([ftyp, u32(0), Buffer.from('moov'), createAudioTrack()]),
	},
	{
		what: 'with other boxes in its index',
		bytes: createFile(createBox('mvhd'), createBox('udta'), createAudioTrack()),
	},
	{
		what: 'whose movie is hardly longer than its track',
		bytes: createFile(createBox('mvhd', createTimes(1000, 10_299)), createAudioTrack()),
	},
	{
		what: 'with times that end after the duration',
		bytes: createFile(
			createAudioTrack({ mediaHeader: createTimes(16_000, 160_000).subarray(0, 20) }),
		),
	},
])('finds duration, sampling rate and channels of M4A $what', async ({ bytes }) => {
	expect((await probeBytes(bytes)).properties).toEqual(all);
});

it.each<{ what: string; bytes: Buffer }>([
	{
		what: 'an edit list makes it longer',
		bytes: createFile(createBox('mvhd', createTimes(1000, 10_301)), createAudioTrack()),
	},
	{
		what: 'an edit list makes it shorter',
		bytes: createFile(createBox('mvhd', createTimes(1000, 9699)), createAudioTrack()),
	},
	{ what: 'fragments may follow', bytes: createFile(createAudioTrack(), createBox('mvex')) },
	{
		what: 'its duration is 0',
		bytes: createFile(createAudioTrack({ mediaHeader: createTimes(16_000, 0) })),
	},
	{
		what: 'its duration is unknown',
		bytes: createFile(createAudioTrack({ mediaHeader: createTimes(16_000, 0xffffffff) })),
	},
	{
		what: 'its time scale is 0',
		bytes: createFile(createAudioTrack({ mediaHeader: createTimes(0, 7) })),
	},
	{
		what: 'its times are cut off',
		bytes: createFile(
			createAudioTrack({ mediaHeader: createTimes(16_000, 160_000).subarray(0, 19) }),
		),
	},
	{
		what: 'its 64-bit times are cut off',
		bytes: createFile(
			createAudioTrack({ mediaHeader: createLongTimes(16_000, 160_000n).subarray(0, 31) }),
		),
	},
])('finds no duration of M4A if $what', async ({ bytes }) => {
	expect((await probeBytes(bytes)).properties).toEqual(withoutLength);
});

it.each<{ what: string; bytes: Buffer }>([
	{ what: 'without sound', bytes: createFile(picture) },
	{ what: 'without tracks', bytes: createFile() },
	{
		what: 'with a track that is not in its index',
		bytes: Buffer.concat([createFile(), createAudioTrack()]),
	},
	{
		what: 'with an index that is shorter than its header',
		bytes: Buffer.concat([ftyp, u32(4), Buffer.from('moov'), createAudioTrack()]),
	},
	{
		what: 'with a box in front that is shorter than its header',
		bytes: Buffer.concat([ftyp, u32(4), createBox('moov', createAudioTrack())]),
	},
	{
		what: 'with a 64-bit length that is cut off',
		bytes: Buffer.concat([ftyp, u32(1), Buffer.from('moov')]),
	},
	{
		what: 'with a hundred thousand boxes',
		bytes: createFile(Buffer.alloc(800_008, createBox('free'))),
	},
])('finds no properties of M4A $what', async ({ bytes }) => {
	expect((await probeBytes(bytes)).properties).toEqual({});
});

it('finds the index of M4A after 7 MB of audio, and does not look for it after 9 MB', async () => {
	const createFileWithLateIndex = (size: number) =>
		Buffer.concat([
			ftyp,
			createBox('mdat', Buffer.alloc(size)),
			createBox('moov', createAudioTrack()),
		]);
	expect((await probeBytes(createFileWithLateIndex(7e6))).properties).toEqual(all);
	const far = await probeBytes(createFileWithLateIndex(9e6));
	expect(far.properties).toEqual({});
	expect(far.taken).toBeLessThan(2 * 64 * 1024);
});

it('reads nothing after the index of M4A', async () => {
	const createAudioBox = (size: number) => createBox('mdat', Buffer.alloc(size));
	const { properties, taken } = await probeBytes(
		Buffer.concat([
			ftyp,
			createAudioBox(1e6),
			createBox('moov', createAudioTrack()),
			createAudioBox(3e6),
		]),
	);
	expect(properties).toEqual(all);
	expect(taken).toBeLessThan(1.2e6);
});

it.each<{ what: string; inEntry: Buffer; samplingRate: number; channels: number | undefined }>([
	{
		what: 'short descriptors',
		inEntry: createEsds(plain, { isLengthLong: false }),
		samplingRate: 16_000,
		channels: 1,
	},
	{ what: '7.1 channels', inEntry: createEsds([0x11, 0xb8]), samplingRate: 48_000, channels: 8 },
	{
		what: 'an extension that denies HE-AAC',
		inEntry: createEsds([...plain, 0x56, 0xe5, 0x00]),
		samplingRate: 16_000,
		channels: 1,
	},
	{
		what: 'channels that are described elsewhere',
		inEntry: createEsds([0x14, 0x00]),
		samplingRate: 16_000,
		channels: undefined,
	},
	{
		what: 'a dependency in front of its configuration',
		inEntry: createEsds(plain, { flags: 0x80, optional: [0, 2] }),
		samplingRate: 16_000,
		channels: 1,
	},
])('finds the properties of AAC with $what', async ({ inEntry, samplingRate, channels }) => {
	const file = createFile(createAudioTrack({ entry: createSampleEntry('mp4a', inEntry) }));
	expect((await probeBytes(file)).properties).toEqual({ seconds: 10, samplingRate, channels });
});

it.each<{ what: string; inEntry: Buffer }>([
	// 5 bits 5 (SBR), 4 bits 8 (16 kHz), 4 bits 1, 4 bits 5 (32 kHz), 5 bits 2
	{ what: 'HE-AAC', inEntry: createEsds([0x2c, 0x0a, 0x88]) },
	// 5 bits 29 (PS), 4 bits 8, 4 bits 1, 4 bits 5
	{ what: 'HE-AAC v2', inEntry: createEsds([0xec, 0x0a, 0x88]) },
	// 3 bits 0, 11 bits 0x2b7, 5 bits 5, 1 bit 1, 4 bits 5 (32 kHz)
	{ what: 'AAC with HE-AAC in an extension', inEntry: createEsds([...plain, 0x56, 0xe5, 0xa8]) },
	// 5 bits 2, 4 bits 15, 24 bits 12345, 4 bits 1
	{ what: 'AAC with a rate of its own', inEntry: createEsds([0x17, 0x80, 0x18, 0x1c, 0x88]) },
	// 5 bits 2, 4 bits 13, 4 bits 1
	{ what: 'AAC with a reserved rate', inEntry: createEsds([0x16, 0x88]) },
	{ what: 'AAC without a configuration', inEntry: createEsds([]) },
	{ what: 'AAC with another descriptor', inEntry: createEsds(plain).fill(9, 12, 13) },
	{ what: 'AAC without descriptors', inEntry: createBox('esds', u32(0, 0)) },
])('finds no sampling rate and channels of $what, which may be wrong', async ({ inEntry }) => {
	const file = createFile(createAudioTrack({ entry: createSampleEntry('mp4a', inEntry) }));
	expect((await probeBytes(file)).properties).toEqual({ seconds: 10 });
});
