import { measured } from '../support/audioFiles';
import { box, esds, movie, track, u32 } from '../support/mp4';

/** AAC, 16 kHz, one channel: 5 bits 2 (AAC), 4 bits 8 (16 kHz), 4 bits 1 (channels). */
const plain = [0x14, 0x08];

async function measuresOf(inEntry: Buffer) {
	return (await measured(movie(track({ inEntry, rate: 44_100 })))).measures;
}

describe('the AudioSpecificConfig of M4A', () => {
	it.each<[string, Buffer, samplingRate: number, channels: number | undefined]>([
		['AAC', esds(plain), 16_000, 1],
		['short descriptors', esds(plain, 0, [], false), 16_000, 1],
		['7.1', esds([0x11, 0xb8]), 48_000, 8],
		['an extension: not HE-AAC', esds([...plain, 0x56, 0xe5, 0x00]), 16_000, 1],
		['channels described elsewhere', esds([0x14, 0x00]), 16_000, undefined],
	])('%s', async (_case, inEntry, samplingRate, channels) => {
		expect(await measuresOf(inEntry)).toEqual({ seconds: 10, samplingRate, channels });
	});

	it.each<[string, Buffer]>([
		// 5 bits 5 (SBR), 4 bits 8 (16 kHz), 4 bits 1, 4 bits 5 (32 kHz), 5 bits 2
		['HE-AAC', esds([0x2c, 0x0a, 0x88])],
		// 5 bits 29 (PS), 4 bits 8, 4 bits 1, 4 bits 5
		['HE-AAC v2', esds([0xec, 0x0a, 0x88])],
		// 3 bits 0, 11 bits 0x2b7, 5 bits 5, 1 bit 1, 4 bits 5 (32 kHz)
		['HE-AAC in an extension', esds([...plain, 0x56, 0xe5, 0xa8])],
		// 5 bits 2, 4 bits 15, 24 bits 12345, 4 bits 1
		['an explicit rate', esds([0x17, 0x80, 0x18, 0x1c, 0x88])],
		// 5 bits 2, 4 bits 13, 4 bits 1
		['a reserved rate', esds([0x16, 0x88])],
		['a dependency in front', esds(plain, 0x80, [0, 2])],
		['nothing', esds([])],
		['another descriptor', esds(plain).fill(9, 12, 13)],
		['nothing legible', box('esds', u32(0, 0))],
	])('gives no finding where it may be wrong: %s', async (_case, inEntry) => {
		expect(await measuresOf(inEntry)).toEqual({ seconds: 10 });
	});
});
