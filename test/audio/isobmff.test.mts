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

// test/audio/probe.test.mts probes real files, and test/audio/convert/isobmff.test.mts reads the same boxes.

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

const withoutLength = { samplingRate: 16_000, channels: 1 };
const all = { seconds: 10, ...withoutLength };

it.each<{ what: string; bytes: Buffer; expected: object }>([
	{
		what: 'with 64-bit times',
		bytes: createFile(createAudioTrack({ mediaHeader: createLongTimes(16_000, 160_000n) })),
		expected: all,
	},
	{
		what: 'with an index whose length has 64 bits',
		bytes: Buffer.concat([ftyp, createLongBox('moov', createAudioTrack())]),
		expected: all,
	},
	{
		what: 'with an index to the end of the file',
		bytes: Buffer.concat([ftyp, u32(0), Buffer.from('moov'), createAudioTrack()]),
		expected: all,
	},
	{
		what: 'whose movie is hardly longer than its track',
		bytes: createFile(createBox('mvhd', createTimes(1000, 10_299)), createAudioTrack()),
		expected: all,
	},
	{
		what: 'that an edit list makes longer',
		bytes: createFile(createBox('mvhd', createTimes(1000, 10_301)), createAudioTrack()),
		expected: withoutLength,
	},
	{
		what: 'that an edit list makes shorter',
		bytes: createFile(createBox('mvhd', createTimes(1000, 9699)), createAudioTrack()),
		expected: withoutLength,
	},
	{
		what: 'that fragments may continue',
		bytes: createFile(createAudioTrack(), createBox('mvex')),
		expected: withoutLength,
	},
	{
		what: 'whose duration is 0',
		bytes: createFile(createAudioTrack({ mediaHeader: createTimes(16_000, 0) })),
		expected: withoutLength,
	},
	{
		what: 'whose duration is unknown',
		bytes: createFile(createAudioTrack({ mediaHeader: createTimes(16_000, 0xffffffff) })),
		expected: withoutLength,
	},
	{
		what: 'whose time scale is 0',
		bytes: createFile(createAudioTrack({ mediaHeader: createTimes(0, 7) })),
		expected: withoutLength,
	},
	{
		what: 'whose times are cut off',
		bytes: createFile(createAudioTrack({ mediaHeader: createTimes(16_000, 1).subarray(0, 19) })),
		expected: {},
	},
	{ what: 'without sound', bytes: createFile(createTrackBox({ kind: 'vide' })), expected: {} },
	{
		what: 'with a hundred thousand boxes',
		bytes: createFile(Buffer.alloc(800_008, createBox('free'))),
		expected: {},
	},
])('finds $expected in M4A $what', async ({ bytes, expected }) => {
	expect((await probeBytes(bytes)).properties).toEqual(expected);
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

it.each<{ what: string; config: number[]; expected: object }>([
	{ what: '7.1 channels', config: [0x11, 0xb8], expected: { samplingRate: 48_000, channels: 8 } },
	{
		what: 'an extension that denies HE-AAC',
		config: [...plain, 0x56, 0xe5, 0x00],
		expected: withoutLength,
	},
	// HE-AAC plays twice as many samples, perhaps of two channels. 5 bits 5 (SBR), 4 bits 8 (16 kHz), 4 bits 1, 4 bits 5.
	{ what: 'HE-AAC', config: [0x2c, 0x0a, 0x88], expected: {} },
	// 5 bits 29 (PS), 4 bits 8, 4 bits 1, 4 bits 5
	{ what: 'HE-AAC v2', config: [0xec, 0x0a, 0x88], expected: {} },
	// 11 bits 0x2b7, 5 bits 5, 1 bit 1, 4 bits 5 (32 kHz)
	{ what: 'HE-AAC in an extension', config: [...plain, 0x56, 0xe5, 0xa8], expected: {} },
])('finds $expected in AAC with $what', async ({ config, expected }) => {
	const entry = createSampleEntry('mp4a', createEsds(config));
	const { properties } = await probeBytes(createFile(createAudioTrack({ entry })));
	expect(properties).toEqual({ seconds: 10, ...expected });
});
