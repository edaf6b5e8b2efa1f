import { measured } from '../support/audioFiles';
import { box, esds, movie, track, u32 } from '../support/mp4';

/** AAC, 16 kHz, one channel: 5 bits 2 (AAC), 4 bits 8 (16 kHz), 4 bits 1 (channels). */
const plain = [0x14, 0x08];

async function measuresOf(inEntry: Buffer) {
	return (await measured(movie(track({ inEntry, rate: 44_100 })))).measures;
}

describe('the AudioSpecificConfig of M4A', () => {
	it.each<{ what: string; inEntry: Buffer; samplingRate: number; channels: number | undefined }>([
		{ what: 'AAC', inEntry: esds(plain), samplingRate: 16_000, channels: 1 },
		{
			what: 'short descriptors',
			inEntry: esds(plain, 0, [], false),
			samplingRate: 16_000,
			channels: 1,
		},
		{ what: '7.1', inEntry: esds([0x11, 0xb8]), samplingRate: 48_000, channels: 8 },
		{
			what: 'an extension: not HE-AAC',
			inEntry: esds([...plain, 0x56, 0xe5, 0x00]),
			samplingRate: 16_000,
			channels: 1,
		},
		{
			what: 'channels described elsewhere',
			inEntry: esds([0x14, 0x00]),
			samplingRate: 16_000,
			channels: undefined,
		},
	])('reads the AudioSpecificConfig of M4A: $what', async ({ inEntry, samplingRate, channels }) => {
		expect(await measuresOf(inEntry)).toEqual({ seconds: 10, samplingRate, channels });
	});

	it.each<{ what: string; inEntry: Buffer }>([
		// 5 bits 5 (SBR), 4 bits 8 (16 kHz), 4 bits 1, 4 bits 5 (32 kHz), 5 bits 2
		{ what: 'HE-AAC', inEntry: esds([0x2c, 0x0a, 0x88]) },
		// 5 bits 29 (PS), 4 bits 8, 4 bits 1, 4 bits 5
		{ what: 'HE-AAC v2', inEntry: esds([0xec, 0x0a, 0x88]) },
		// 3 bits 0, 11 bits 0x2b7, 5 bits 5, 1 bit 1, 4 bits 5 (32 kHz)
		{ what: 'HE-AAC in an extension', inEntry: esds([...plain, 0x56, 0xe5, 0xa8]) },
		// 5 bits 2, 4 bits 15, 24 bits 12345, 4 bits 1
		{ what: 'an explicit rate', inEntry: esds([0x17, 0x80, 0x18, 0x1c, 0x88]) },
		// 5 bits 2, 4 bits 13, 4 bits 1
		{ what: 'a reserved rate', inEntry: esds([0x16, 0x88]) },
		{ what: 'a dependency in front', inEntry: esds(plain, 0x80, [0, 2]) },
		{ what: 'nothing', inEntry: esds([]) },
		{ what: 'another descriptor', inEntry: esds(plain).fill(9, 12, 13) },
		{ what: 'nothing legible', inEntry: box('esds', u32(0, 0)) },
	])('finds nothing in an AudioSpecificConfig that it may misread: $what', async ({ inEntry }) => {
		expect(await measuresOf(inEntry)).toEqual({ seconds: 10 });
	});
});
