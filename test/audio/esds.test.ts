import { measured } from '../support/audioFiles';
import { box, esds, movie, track, u32 } from '../support/mp4';

/** AAC, 16 kHz, one channel: 5 bits 2 (AAC), 4 bits 8 (16 kHz), 4 bits 1 (channels). */
const plain = [0x14, 0x08];

describe('the AudioSpecificConfig of M4A', () => {
	it.each<[string, Buffer, samplingRate: number, channels: number]>([
		['AAC', esds(plain), 16_000, 1],
		['short descriptors', esds(plain, 0, [], false), 16_000, 1],
		['7.1', esds([0x11, 0xb8]), 48_000, 8],
		// 5 bits 5 (SBR), 4 bits 8 (16 kHz), 4 bits 1, 4 bits 5 (32 kHz), 5 bits 2
		['HE-AAC: the doubled rate', esds([0x2c, 0x0a, 0x88]), 32_000, 1],
		// 5 bits 29 (PS), 4 bits 8, 4 bits 1, 4 bits 5
		['HE-AAC v2: stereo, despite one channel', esds([0xec, 0x0a, 0x88]), 32_000, 2],
		// 3 bits 0, 11 bits 0x2b7, 5 bits 5, 1 bit 1, 4 bits 5 (32 kHz)
		['HE-AAC in an extension', esds([...plain, 0x56, 0xe5, 0xa8]), 32_000, 1],
		// And 11 bits 0x548, 1 bit 1
		['HE-AAC v2 in extensions', esds([...plain, 0x56, 0xe5, 0xad, 0x48, 0x80]), 32_000, 2],
		['an extension: not HE-AAC', esds([...plain, 0x56, 0xe5, 0x00]), 16_000, 1],
		// 5 bits 2, 4 bits 15, 24 bits 12345, 4 bits 1
		['an explicit rate', esds([0x17, 0x80, 0x18, 0x1c, 0x88]), 12_345, 1],
		// 5 bits 31, 6 bits 10 (42), 4 bits 3 (48 kHz), 4 bits 2
		['an object type beyond 31', esds([0xf9, 0x46, 0x40]), 48_000, 2],
		['a dependency in front', esds(plain, 0x80, [0, 2]), 16_000, 1],
		['a URL in front', esds(plain, 0x40, [2, 97, 98]), 16_000, 1],
		['a long URL in front', esds(plain, 0x40, [200, ...Buffer.alloc(200, 'a')]), 16_000, 1],
		['a clock in front', esds(plain, 0x20, [0, 2]), 16_000, 1],
		['all three in front', esds(plain, 0xe0, [0, 2, 2, 97, 98, 0, 3]), 16_000, 1],
		['channels described elsewhere: those of the entry', esds([0x14, 0x00]), 16_000, 2],
		// 5 bits 2, 4 bits 13, 4 bits 1
		['a reserved rate: that of the entry', esds([0x16, 0x88]), 44_100, 1],
		['nothing: what the entry says', esds([]), 44_100, 2],
		['cut off in the rate: what the entry says', esds([0x15]), 44_100, 2],
		['another descriptor: what the entry says', esds(plain).fill(9, 12, 13), 44_100, 2],
		['nothing legible: what the entry says', box('esds', u32(0, 0)), 44_100, 2],
	])('%s', async (_case, inEntry, samplingRate, channels) => {
		const { measures } = await measured(movie(track({ inEntry, rate: 44_100 })));
		expect(measures).toEqual({ seconds: 10, samplingRate, channels });
	});
});

it('a crafted configuration of megabytes is read only in part', async () => {
	const inEntry = esds([...plain, ...new Array<number>(100_000).fill(0)]);
	const parse = jest.spyOn(Number.prototype, 'toString');
	const { measures } = await measured(movie(track({ inEntry })));
	expect(measures).toEqual({ seconds: 10, samplingRate: 16_000, channels: 1 });
	expect(parse.mock.calls.length).toBeLessThan(2000);
	parse.mockRestore();
});
