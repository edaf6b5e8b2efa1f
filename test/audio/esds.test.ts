import { measured } from '../support/audioFiles';
import { box, esds, movie, track, u32 } from '../support/mp4';

describe("AAC's own configuration in M4A", () => {
	it.each<[string, Buffer, object]>([
		['AAC, 16 kHz, one channel', esds([0x14, 0x08]), { samplingRate: 16_000, channels: 1 }],
		[
			'in short descriptors',
			esds([0x14, 0x08], 0, [], false),
			{ samplingRate: 16_000, channels: 1 },
		],
		['7.1', esds([0x11, 0xb8]), { samplingRate: 48_000, channels: 8 }],
		// 5 bits 5 (SBR), 4 bits 8 (16 kHz), 4 bits 1, 4 bits 5 (32 kHz), 5 bits 2
		[
			'HE-AAC: its rate is the doubled one',
			esds([0x2c, 0x0a, 0x88]),
			{ samplingRate: 32_000, channels: 1 },
		],
		// 5 bits 29 (PS), 4 bits 8, 4 bits 1, 4 bits 5
		[
			'HE-AAC v2: stereo beside one channel',
			esds([0xec, 0x0a, 0x88]),
			{ samplingRate: 32_000, channels: 2 },
		],
		// 5 bits 2, 4 bits 8 (16 kHz), 4 bits 1, 3 bits 0, 11 bits 0x2b7, 5 bits 5, 1 bit 1, 4 bits 5 (32 kHz)
		[
			'HE-AAC in an extension',
			esds([0x14, 0x08, 0x56, 0xe5, 0xa8]),
			{ samplingRate: 32_000, channels: 1 },
		],
		// And 11 bits 0x548, 1 bit 1.
		[
			'HE-AAC v2 in extensions',
			esds([0x14, 0x08, 0x56, 0xe5, 0xad, 0x48, 0x80]),
			{ samplingRate: 32_000, channels: 2 },
		],
		[
			'an extension: not HE-AAC',
			esds([0x14, 0x08, 0x56, 0xe5, 0x00]),
			{ samplingRate: 16_000, channels: 1 },
		],
		// 5 bits 2, 4 bits 15, 24 bits 12345, 4 bits 1
		[
			'a rate of its own',
			esds([0x17, 0x80, 0x18, 0x1c, 0x88]),
			{ samplingRate: 12_345, channels: 1 },
		],
		// 5 bits 31, 6 bits 10 (42), 4 bits 3 (48 kHz), 4 bits 2
		['an object type beyond 31', esds([0xf9, 0x46, 0x40]), { samplingRate: 48_000, channels: 2 }],
		[
			'behind a dependency',
			esds([0x14, 0x08], 0x80, [0, 2]),
			{ samplingRate: 16_000, channels: 1 },
		],
		[
			'behind an address',
			esds([0x14, 0x08], 0x40, [2, 97, 98]),
			{ samplingRate: 16_000, channels: 1 },
		],
		[
			'behind a long address',
			esds([0x14, 0x08], 0x40, [200, ...new Array<number>(200).fill(97)]),
			{ samplingRate: 16_000, channels: 1 },
		],
		['behind a clock', esds([0x14, 0x08], 0x20, [0, 2]), { samplingRate: 16_000, channels: 1 }],
		[
			'behind all three',
			esds([0x14, 0x08], 0xe0, [0, 2, 2, 97, 98, 0, 3]),
			{ samplingRate: 16_000, channels: 1 },
		],
		[
			'channels described elsewhere: those of the entry',
			esds([0x14, 0x00]),
			{ samplingRate: 16_000, channels: 2 },
		],
		// 5 bits 2, 4 bits 13, 4 bits 1
		[
			'a rate that stands for none: that of the entry',
			esds([0x16, 0x88]),
			{ samplingRate: 44_100, channels: 1 },
		],
		['nothing: what the entry says', esds([]), { samplingRate: 44_100, channels: 2 }],
		[
			'cut off in the rate: what the entry says',
			esds([0x15]),
			{ samplingRate: 44_100, channels: 2 },
		],
		[
			'another descriptor: what the entry says',
			esds([0x14, 0x08]).fill(9, 12, 13),
			{ samplingRate: 44_100, channels: 2 },
		],
		[
			'nothing legible: what the entry says',
			box('esds', u32(0, 0)),
			{ samplingRate: 44_100, channels: 2 },
		],
	])('%s', async (_case, inEntry, expected) => {
		const { measures } = await measured(movie(track({ inEntry, rate: 44_100 })));
		expect(measures).toEqual({ seconds: 10, ...expected });
	});
});

it('a crafted configuration of megabytes is read only in part', async () => {
	const config = [0x14, 0x08, ...new Array<number>(100_000).fill(0)];
	const inEntry = esds(config);
	const parse = jest.spyOn(Number.prototype, 'toString');
	const { measures } = await measured(movie(track({ inEntry })));
	expect(measures).toEqual({ seconds: 10, samplingRate: 16_000, channels: 1 });
	expect(parse.mock.calls.length).toBeLessThan(2000);
	parse.mockRestore();
});
