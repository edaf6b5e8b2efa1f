import { scanOgg } from '../../../nodes/VoiceSpeech/audio/convert/scanOgg.ts';
import type {
	OpusLink,
	OpusTrack,
	DecodedRate,
} from '../../../nodes/VoiceSpeech/audio/convert/track.ts';
import { prepareWav } from '../../../nodes/VoiceSpeech/audio/convert/wavFile.ts';
import { readAudioFile } from '../../support/media/audioFiles.mts';
import { collect, createReader, readObstacle } from '../../support/media/conversion.mts';
import { createOpusHead, tone, type HeadOptions } from '../../support/media/ogg.mts';

/** A track with these packets, and a second reading that finds these or others. */
function createTrack(
	packets: Buffer[],
	link: Partial<OpusLink> & HeadOptions = {},
	secondReading = packets,
): OpusTrack {
	const { skippedSamples = 312, ...others } = link;
	const { playedSamples = packets.length * 960 - skippedSamples, ...head } = others;
	return {
		kind: 'opus',
		links: [
			{ head: createOpusHead(head), packetCount: packets.length, skippedSamples, playedSamples },
		],
		packetBytes: packets.reduce((sum, packet) => sum + packet.length, 0),
		async *readPackets() {
			yield* secondReading;
		},
	};
}

async function write(
	track: OpusTrack,
	rate: DecodedRate = 48_000,
	reader = createReader(Buffer.of()),
) {
	const file = prepareWav(track, rate);
	const bytes = Buffer.concat(await collect(file.chunks(reader)));
	expect(bytes).toHaveLength(file.size);
	const samples = Array.from({ length: (bytes.length - 44) / 2 }, (_, index) =>
		bytes.readInt16LE(44 + 2 * index),
	);
	return { file, bytes, samples };
}

/** Expects the same samples. `toEqual` would take long for so many. */
function expectSamples(samples: number[], expected: number[]): void {
	expect(samples).toHaveLength(expected.length);
	expect(samples.findIndex((sample, index) => sample !== expected[index])).toBe(-1);
}

/** The effective level of samples. */
const computeLevel = (samples: number[]) =>
	Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);

/** How often samples change from negative to positive in a second. */
const computeFrequency = (samples: number[], rate: number) =>
	(samples.filter((sample, index) => sample >= 0 && samples[index - 1]! < 0).length * rate) /
	samples.length;

describe('the conversion of Opus to WAV', () => {
	it('writes a header that describes the file', async () => {
		const { bytes } = await write(createTrack(tone), 16_000);
		expect(bytes.subarray(0, 44).toString('latin1')).toBe(
			'RIFF\u00d4~\0\0WAVEfmt \u0010\0\0\0\u0001\0\u0001\0\u0080>\0\0\0}\0\0\u0002\0\u0010\0data\u00b0~\0\0',
		);
	});

	it.each<DecodedRate>([16_000, 48_000])('decodes to %i Hz', async (rate) => {
		const file = readAudioFile('opus.opus');
		const { samples } = await write(await scanOgg(createReader(file)), rate, createReader(file));
		expect(samples).toHaveLength(rate);
		// ffmpeg's volumedetect finds -21.4 dB; the tone has 300 Hz.
		expect(20 * Math.log10(computeLevel(samples) / 32_768)).toBeCloseTo(-21.4, 1);
		expect(Math.abs(computeFrequency(samples, rate) - 300)).toBeLessThan(3);
	});

	it('skips the start, and ends where it should', async () => {
		const writePart = async (skippedSamples: number, playedSamples: number, rate?: DecodedRate) =>
			(await write(createTrack(tone, { skippedSamples, playedSamples }), rate)).samples;
		const all = await writePart(0, 51 * 960);
		expect(all).toHaveLength(51 * 960);
		expectSamples(await writePart(2000, 30_001), all.slice(2000, 32_001));
		const padding = new Array<number>(960).fill(0);
		expectSamples(await writePart(960, 51 * 960), [...all.slice(960), ...padding]);
		const rounded = await writePart(301, 1000, 16_000);
		expect(rounded).toHaveLength(333);
		expect(rounded).toEqual(await writePart(300, 999, 16_000));
	});

	it('limits loud samples instead of letting them wrap around', async () => {
		const { samples } = await write(createTrack(tone, { gain: 40 }));
		expect(Math.max(...samples)).toBe(32_767);
		expect(Math.min(...samples)).toBe(-32_768);
		const isLoud = samples.slice(2000, 40_000).filter((sample) => Math.abs(sample) > 30_000);
		expect(isLoud.length).toBeGreaterThan(30_000);
	});

	// test/full/convert.test.mts converts recordings with two channels.
	it('decodes mono packets to the same samples if the header specifies two channels', async () => {
		const plain = await write(createTrack(tone));
		const { samples } = await write(createTrack(tone, { channels: 2 }));
		expectSamples(samples, plain.samples);
	});

	it('writes silence for damaged packets, and the rest at its time', async () => {
		const damaged = [...tone];
		// Two frames of equal length cannot have an odd number of bytes.
		const twoFrames = Buffer.from([0x09, 1, 2, 3]).fill((tone[0]![0]! & 0xf8) | 1, 0, 1);
		damaged.splice(20, 2, twoFrames);
		damaged.splice(30, 1, Buffer.alloc(70_000, tone[0]![0]));
		const all = { skippedSamples: 0, playedSamples: 51 * 960 };
		const { samples: expected } = await write(createTrack(tone, all));
		const { samples } = await write(createTrack(damaged, all));
		expectSamples(samples.slice(0, 20 * 960), expected.slice(0, 20 * 960));
		expect(samples.slice(20 * 960, 22 * 960).every((sample) => sample === 0)).toBe(true);
		expect(samples.slice(31 * 960, 32 * 960).every((sample) => sample === 0)).toBe(true);
		const computeLaterLevel = (of: number[]) => computeLevel(of.slice(40 * 960, 45 * 960));
		expect(computeLaterLevel(samples)).toBeCloseTo(computeLaterLevel(expected), -2);
	});

	it('skips packets that have no duration', async () => {
		const { samples: expected } = await write(createTrack(tone));
		const invalid = [...tone];
		// The invalid packets are in the middle, where concealing a loss would change the samples after them.
		invalid.splice(20, 0, Buffer.alloc(0), Buffer.from([0x0b]));
		const { samples } = await write(createTrack(invalid, { playedSamples: 51 * 960 - 312 }));
		expectSamples(samples, expected);
	});

	/** A track of links with these heads, each with as many packets and played samples as this. */
	function createLinks(packets: Buffer[], playedSamples: number, heads: Buffer[]): OpusTrack {
		const track = createTrack(heads.flatMap(() => packets));
		const link = { ...track.links[0]!, packetCount: packets.length, playedSamples };
		return { ...track, links: heads.map((head) => ({ ...link, head })) };
	}

	const head = createOpusHead();

	it('uses a decoder of its own for each link', async () => {
		const heads = [head, createOpusHead({ gain: 6 })];
		const { samples } = await write(createLinks(tone, 48_000, heads));
		const { samples: first } = await write(createTrack(tone, { playedSamples: 48_000 }));
		const { samples: second } = await write(createTrack(tone, { gain: 6, playedSamples: 48_000 }));
		expectSamples(samples, [...first, ...second]);
	});

	it('rounds the length once for all links', async () => {
		// Each link has 333.7 samples.
		const track = createLinks(tone, 1001, [head, head]);
		expect((await write(track, 16_000)).samples).toHaveLength(667);
	});

	it('writes more links than a chain may have', async () => {
		const packets = tone.slice(0, 1);
		const { samples } = await write(createLinks(packets, 648, Array<Buffer>(900).fill(head)));
		const { samples: one } = await write(createTrack(packets));
		expect(samples.slice(-648)).toEqual(one);
	});
});

describe('the chunks of a WAV file', () => {
	const long = createTrack([...tone, ...tone, ...tone], { playedSamples: 150_000 });

	it('have 64 KiB, except for the last', async () => {
		const chunks = await collect(prepareWav(long, 48_000).chunks(createReader(Buffer.of())));
		const lengths = chunks.map(({ length }) => length);
		expect(lengths).toEqual([65_536, 65_536, 65_536, 65_536, 300_044 - 4 * 65_536]);
		const unique = new Set(chunks.map(({ buffer }) => buffer));
		expect(unique.size).toBe(chunks.length);
	});

	it('let other work run before each packet is decoded', async () => {
		const yieldToEventLoop = jest.fn();
		await write(long, 48_000, createReader(Buffer.of(), undefined, yieldToEventLoop));
		expect(yieldToEventLoop).toHaveBeenCalledTimes(3 * tone.length);
	});

	const other = Buffer.concat([tone[5]!, Buffer.of(0)]);

	it.each<[what: string, packets: Buffer[]]>([
		['fewer packets', tone.slice(1)],
		['more packets', [...tone, tone[0]!]],
		['a packet of another length', tone.with(5, other)],
	])('end with an error if the second reading finds %s', async (_, packets) => {
		const file = prepareWav(createTrack(tone, {}, packets), 48_000);
		const reading = collect(file.chunks(createReader(Buffer.of())));
		expect(await readObstacle(reading)).toEqual({ kind: 'changed' });
	});
});
