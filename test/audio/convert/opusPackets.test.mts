import {
	countSamples,
	readOpusHead,
} from '../../../nodes/VoiceSpeech/audio/convert/opusPackets.ts';
import { createOpusHead, type HeadOptions } from '../../support/media/ogg.mts';

/** A packet by its configuration number, its code and, for code 3, its number of frames. */
const createPacket = (configuration: number, code = 0, frames = 0) =>
	Buffer.from([(configuration << 3) | code, frames, 0]);

describe('the duration of an Opus packet', () => {
	// RFC 6716, table 2, in ms.
	it.each([
		{ first: 0, milliseconds: [10, 20, 40, 60] },
		{ first: 4, milliseconds: [10, 20, 40, 60] },
		{ first: 8, milliseconds: [10, 20, 40, 60] },
		{ first: 12, milliseconds: [10, 20] },
		{ first: 14, milliseconds: [10, 20] },
		{ first: 16, milliseconds: [2.5, 5, 10, 20] },
		{ first: 20, milliseconds: [2.5, 5, 10, 20] },
		{ first: 24, milliseconds: [2.5, 5, 10, 20] },
		{ first: 28, milliseconds: [2.5, 5, 10, 20] },
	])('is known of the configurations from $first on', ({ first, milliseconds }) => {
		const found = milliseconds.map((_, index) => countSamples(createPacket(first + index)) / 48);
		expect(found).toEqual(milliseconds);
	});

	it.each<{ what: string; bytes: Buffer; samples: number }>([
		{ what: 'two frames of one length', bytes: createPacket(1, 1), samples: 1920 },
		{ what: 'two frames of two lengths', bytes: createPacket(1, 2), samples: 1920 },
		{ what: 'three frames', bytes: createPacket(1, 3, 3), samples: 2880 },
		{ what: '48 frames of 2.5 ms', bytes: createPacket(16, 3, 48), samples: 5760 },
		{
			what: 'flags next to the number of frames',
			bytes: createPacket(16, 3, 48 | 0xc0),
			samples: 5760,
		},
		{ what: 'only its first byte', bytes: Buffer.from([8]), samples: 960 },
		{ what: 'more than 120 ms', bytes: createPacket(3, 3, 3), samples: 0 },
		{ what: 'no frames', bytes: createPacket(1, 3, 0), samples: 0 },
		{ what: 'no number of frames', bytes: Buffer.from([11]), samples: 0 },
		{ what: 'no bytes', bytes: Buffer.alloc(0), samples: 0 },
	])('is known with $what', ({ bytes, samples }) => {
		expect(countSamples(bytes)).toBe(samples);
	});
});

describe('the identification header', () => {
	it.each<{ what: string; options: HeadOptions; expected: object }>([
		{ what: 'mono', options: {}, expected: { preSkip: 312, gain: 1 } },
		{
			what: 'stereo',
			options: { channels: 2, preSkip: 40_000 },
			expected: { preSkip: 40_000, gain: 1 },
		},
		{
			what: 'stereo with a table',
			options: { channels: 2, mapping: [1, 1, 1, 0, 1] },
			expected: { preSkip: 312 },
		},
		{ what: 'a lower level', options: { gain: -20 }, expected: { gain: 0.1 } },
		{ what: 'a higher level', options: { gain: 20 }, expected: { gain: 10 } },
	])('is read for $what', ({ options, expected }) => {
		expect(readOpusHead(createOpusHead(options))).toMatchObject(expected);
	});

	const surround = { kind: 'codec', codec: 'Opus with more than two channels' };
	const severalStreams = { kind: 'codec', codec: 'Opus with several streams' };
	const damaged = { kind: 'damaged' };

	it.each<{ what: string; head: Buffer; obstacle: object }>([
		{
			what: '5.1',
			head: createOpusHead({ channels: 6, mapping: [1, 4, 2, 0, 4, 1, 2, 3, 5] }),
			obstacle: surround,
		},
		{
			what: 'three channels without a table',
			head: createOpusHead({ channels: 3 }),
			obstacle: surround,
		},
		{
			what: 'two streams',
			head: createOpusHead({ channels: 2, mapping: [255, 2, 0, 0, 1] }),
			obstacle: severalStreams,
		},
		{
			what: 'no streams',
			head: createOpusHead({ channels: 2, mapping: [255, 0, 0, 0, 1] }),
			obstacle: damaged,
		},
		{ what: 'a table that is cut off', head: createOpusHead({ mapping: [1] }), obstacle: damaged },
		{ what: 'no channels', head: createOpusHead({ channels: 0 }), obstacle: damaged },
		{ what: 'less than its length', head: createOpusHead().subarray(0, 18), obstacle: damaged },
		{ what: 'another name', head: Buffer.from(createOpusHead()).fill(0, 0, 1), obstacle: damaged },
		{
			what: 'a later version',
			head: Buffer.from(createOpusHead()).fill(16, 8, 9),
			obstacle: damaged,
		},
	])('is rejected with $what', ({ head, obstacle }) => {
		expect(() => readOpusHead(head)).toThrow(expect.objectContaining({ obstacle }));
	});
});
