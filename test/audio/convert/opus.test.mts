import {
	countSamples,
	OpusDecoder,
	readOpusHead,
} from '../../../nodes/VoiceSpeech/audio/convert/opus.ts';
import { createOpusHead, type HeadOptions } from '../../support/media/ogg.mts';

/** A packet by its configuration number, its code and, for code 3, its number of frames. */
const createPacket = (configuration: number, code = 0, frames = 0) =>
	Buffer.from([(configuration << 3) | code, frames, 0]);

describe('the duration of an Opus packet', () => {
	// RFC 6716, table 2: the first configuration of each mode and bandwidth, and the durations in ms.
	it.each([
		{ firsts: [0, 4, 8], milliseconds: [10, 20, 40, 60] },
		{ firsts: [12, 14], milliseconds: [10, 20] },
		{ firsts: [16, 20, 24, 28], milliseconds: [2.5, 5, 10, 20] },
	])('is known of the configurations from $firsts on', ({ firsts, milliseconds }) => {
		for (const first of firsts) {
			const found = milliseconds.map((_, index) => countSamples(createPacket(first + index)) / 48);
			expect(found).toEqual(milliseconds);
		}
	});

	it.each<[what: string, bytes: Buffer, samples: number]>([
		['two frames of one length', createPacket(1, 1), 1920],
		['two frames of two lengths', createPacket(1, 2), 1920],
		['three frames', createPacket(1, 3, 3), 2880],
		['48 frames of 2.5 ms', createPacket(16, 3, 48), 5760],
		['flags next to the number of frames', createPacket(16, 3, 48 | 0xc0), 5760],
		['only its first byte', Buffer.from([8]), 960],
		['more than 120 ms', createPacket(3, 3, 3), 0],
		['no frames', createPacket(1, 3, 0), 0],
		['no number of frames', Buffer.from([11]), 0],
		['no bytes', Buffer.alloc(0), 0],
	])('is known with %s', (_, bytes, samples) => {
		expect(countSamples(bytes)).toBe(samples);
	});
});

describe('the identification header', () => {
	it.each<[what: string, options: HeadOptions, expected: object]>([
		['mono', {}, { preSkip: 312, gain: 1 }],
		['stereo', { channels: 2, preSkip: 40_000 }, { preSkip: 40_000, gain: 1 }],
		['stereo with a table', { channels: 2, mapping: [1, 1, 1, 0, 1] }, { preSkip: 312 }],
		['a lower level', { gain: -20 }, { gain: 0.1 }],
		['a higher level', { gain: 20 }, { gain: 10 }],
	])('is read for %s', (_, options, expected) => {
		expect(readOpusHead(createOpusHead(options))).toMatchObject(expected);
	});

	const surround = { kind: 'codec', codec: 'Opus with more than two channels' };
	const severalStreams = { kind: 'codec', codec: 'Opus with several streams' };
	const damaged = { kind: 'damaged' };

	it.each<[what: string, head: Buffer, obstacle: object]>([
		['5.1', createOpusHead({ channels: 6, mapping: [1, 4, 2, 0, 4, 1, 2, 3, 5] }), surround],
		['three channels without a table', createOpusHead({ channels: 3 }), surround],
		['two streams', createOpusHead({ channels: 2, mapping: [255, 2, 0, 0, 1] }), severalStreams],
		['no streams', createOpusHead({ channels: 2, mapping: [255, 0, 0, 0, 1] }), damaged],
		['a table that is cut off', createOpusHead({ mapping: [1] }), damaged],
		['no channels', createOpusHead({ channels: 0 }), damaged],
		['less than its length', createOpusHead().subarray(0, 18), damaged],
		['another name', Buffer.from(createOpusHead()).fill(0, 0, 1), damaged],
		['a later version', Buffer.from(createOpusHead()).fill(16, 8, 9), damaged],
	])('is rejected with %s', (_, head, obstacle) => {
		expect(() => readOpusHead(head)).toThrow(expect.objectContaining({ obstacle }));
	});
});

afterEach(() => jest.restoreAllMocks());

it('compiles the decoder once, and again only after a failure', async () => {
	const compile = jest.spyOn(WebAssembly, 'compile');
	compile.mockRejectedValueOnce(new RangeError('Out of memory'));
	await expect(OpusDecoder.create()).rejects.toThrow('Out of memory');
	await OpusDecoder.create();
	await OpusDecoder.create();
	expect(compile).toHaveBeenCalledTimes(2);
});
