import {
	OpusTotals,
	packetRate,
	packetSamples,
	readOpusHead,
} from '../../../nodes/VoiceSpeech/audio/convert/opusPackets';
import { opusHead, type HeadOptions } from '../../support/ogg';

/** A packet by its configuration number, its code and, for code 3, its number of frames. */
const packet = (configuration: number, code = 0, frames = 0) =>
	Buffer.from([(configuration << 3) | code, frames, 0]);

describe('the duration of an Opus packet', () => {
	// RFC 6716, table 2, in ms.
	it.each([
		[0, [10, 20, 40, 60]],
		[4, [10, 20, 40, 60]],
		[8, [10, 20, 40, 60]],
		[12, [10, 20]],
		[14, [10, 20]],
		[16, [2.5, 5, 10, 20]],
		[20, [2.5, 5, 10, 20]],
		[24, [2.5, 5, 10, 20]],
		[28, [2.5, 5, 10, 20]],
	])('of the configurations from %i on', (first, milliseconds) => {
		const found = milliseconds.map((_, index) => packetSamples(packet(first + index)) / 48);
		expect(found).toEqual(milliseconds);
	});

	it.each<[string, Buffer, samples: number]>([
		['two frames of one length', packet(1, 1), 1920],
		['two frames of two lengths', packet(1, 2), 1920],
		['three frames', packet(1, 3, 3), 2880],
		['48 frames of 2.5 ms', packet(16, 3, 48), 5760],
		['flags next to the number of frames', packet(16, 3, 48 | 0xc0), 5760],
		['only its first byte', Buffer.from([8]), 960],
		['more than 120 ms', packet(3, 3, 3), 0],
		['no frames', packet(1, 3, 0), 0],
		['no number of frames', Buffer.from([11]), 0],
		['no bytes', Buffer.alloc(0), 0],
	])('with %s', (_case, bytes, samples) => {
		expect(packetSamples(bytes)).toBe(samples);
	});
});

it('the sampling rate keeps the bandwidth', () => {
	const rates = Array.from({ length: 32 }, (_, configuration) => packetRate(packet(configuration)));
	expect(rates).toEqual([
		...new Array<number>(12).fill(16_000),
		...[24_000, 24_000, 48_000, 48_000],
		...new Array<number>(8).fill(16_000),
		...new Array<number>(4).fill(24_000),
		...new Array<number>(4).fill(48_000),
	]);
});

it('the totals have the highest bandwidth of all valid packets', () => {
	const totals = new OpusTotals();
	expect(totals.bandwidth).toBe(16_000);
	expect(totals.add(packet(12))).toBe(480);
	expect(totals.add(packet(0))).toBe(480);
	expect(totals.add(packet(28, 3, 0))).toBe(0);
	expect(totals).toEqual({ bytes: 9, bandwidth: 24_000 });
});

describe('the identification header', () => {
	it.each<[string, HeadOptions, expected: object]>([
		['mono', {}, { channels: 1, preSkip: 312, gain: 1 }],
		['stereo', { channels: 2, preSkip: 40_000 }, { channels: 2, preSkip: 40_000, gain: 1 }],
		['stereo with a table', { channels: 2, mapping: [1, 1, 1, 0, 1] }, { channels: 2 }],
		['a lower level', { gain: -20 }, { gain: 0.1 }],
		['a higher level', { gain: 20 }, { gain: 10 }],
	])('of %s', (_case, options, expected) => {
		expect(readOpusHead(opusHead(options))).toMatchObject(expected);
	});

	const surround = { reason: 'codec', codec: 'Opus with more than two channels' };
	const damaged = { reason: 'damaged' };

	it.each<[string, Buffer, obstacle: object]>([
		['5.1', opusHead({ channels: 6, mapping: [1, 4, 2, 0, 4, 1, 2, 3, 5] }), surround],
		['three channels without a table', opusHead({ channels: 3 }), surround],
		['two streams', opusHead({ channels: 2, mapping: [255, 2, 0, 0, 1] }), surround],
		['a table that is cut off', opusHead({ mapping: [1] }), surround],
		['no channels', opusHead({ channels: 0 }), damaged],
		['less than its length', opusHead().subarray(0, 18), damaged],
		['another name', Buffer.from(opusHead()).fill(0, 0, 1), damaged],
		['a later version', Buffer.from(opusHead()).fill(16, 8, 9), damaged],
	])('is refused with %s', (_case, head, obstacle) => {
		expect(() => readOpusHead(head)).toThrow(expect.objectContaining({ obstacle }));
	});
});
