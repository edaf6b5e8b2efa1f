import { probeBytes } from '../support/media/audioFiles.mts';
import {
	createBox,
	createEsds,
	createSampleEntry,
	createTimes,
	createTrackBox,
	type TrackOptions,
	u32,
} from '../support/media/isobmff.mts';

// test/audio/probe.test.mts probes real files, in fragments and with an edit list too, and
// test/audio/convert/isobmff.test.mts reads the same boxes.

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

const createWithTimes = (mediaHeader: Buffer) => createFile(createAudioTrack({ mediaHeader }));
const createWithMovieTime = (milliseconds: number) =>
	createFile(createBox('mvhd', createTimes(1000, milliseconds)), createAudioTrack());
const openIndex = Buffer.concat([ftyp, u32(0), Buffer.from('moov'), createAudioTrack()]);

it.each<[what: string, expected: object, bytes: Buffer]>([
	['with 64-bit times', all, createWithTimes(u32(2 ** 24, 0, 0, 0, 0, 16_000, 0, 160_000, 0))],
	['with an index to the end of the file', all, openIndex],
	['whose movie is hardly longer than its track', all, createWithMovieTime(10_299)],
	['that an edit list makes longer', withoutLength, createWithMovieTime(10_301)],
	['whose duration is 0', withoutLength, createWithTimes(createTimes(16_000, 0))],
	['whose duration is unknown', withoutLength, createWithTimes(createTimes(16_000, 0xffffffff))],
	['whose time scale is 0', withoutLength, createWithTimes(createTimes(0, 7))],
	['whose times are cut off', {}, createWithTimes(createTimes(16_000, 1).subarray(0, 19))],
	['without sound', {}, createFile(createTrackBox({ kind: 'vide' }))],
])('M4A %s has %j', async (_, expected, bytes) => {
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

it.each<[what: string, config: number[], expected: object]>([
	['7.1 channels', [0x11, 0xb8], { samplingRate: 48_000, channels: 8 }],
	['an extension that denies HE-AAC', [...plain, 0x56, 0xe5, 0x00], withoutLength],
	// HE-AAC plays twice as many samples, perhaps of two channels. 5 bits 5 (SBR), 4 bits 8 (16 kHz), 4 bits 1, 4 bits 5.
	['HE-AAC', [0x2c, 0x0a, 0x88], {}],
	// 5 bits 29 (PS), 4 bits 8, 4 bits 1, 4 bits 5
	['HE-AAC v2', [0xec, 0x0a, 0x88], {}],
	// 11 bits 0x2b7, 5 bits 5, 1 bit 1, 4 bits 5 (32 kHz)
	['HE-AAC in an extension', [...plain, 0x56, 0xe5, 0xa8], {}],
])('AAC with %s has %j', async (_, config, expected) => {
	const entry = createSampleEntry('mp4a', createEsds(config));
	const { properties } = await probeBytes(createFile(createAudioTrack({ entry })));
	expect(properties).toEqual({ seconds: 10, ...expected });
});
