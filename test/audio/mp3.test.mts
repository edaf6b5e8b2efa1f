import { sniffHead } from '../../nodes/VoiceSpeech/audio/format.ts';
import { probeBytes } from '../support/media/audioFiles.mts';
import { createMp3 } from '../support/media/recordings.mts';

/** A frame of silence with these first bytes. By default, it is as long as the frames of `createMp3()`. */
function createFrame(header: number[], length = 144): Buffer {
	const bytes = Buffer.alloc(length);
	bytes.set(header);
	return bytes;
}

const plain = [0xff, 0xfb, 0x18, 0xc4];
const header = Buffer.from(plain);

/** Frames after other bytes. */
const prependBytes = (...frames: Buffer[]) => Buffer.concat([Buffer.alloc(10, 1), ...frames]);

it.each<{ what: string; bytes: Buffer }>([
	{ what: 'one frame', bytes: createMp3(1) },
	{ what: 'the header of one frame', bytes: header },
	{
		what: 'three frames and then something else',
		bytes: Buffer.concat([createMp3(3), Buffer.alloc(9)]),
	},
	{
		what: 'one frame, something else and three frames',
		bytes: Buffer.concat([createMp3(1), prependBytes(createMp3(3))]),
	},
	{
		what: 'two frames and a header after something else',
		bytes: prependBytes(createMp3(2), header),
	},
	{
		what: 'three frames that are one byte longer',
		bytes: prependBytes(...new Array(3).fill(createFrame([0xff, 0xfb, 0x1a], 145))),
	},
	{
		what: 'three frames after a byte as of a frame',
		bytes: prependBytes(Buffer.from([0xff, 0]), createMp3(3)),
	},
])('recognizes $what as MP3', ({ bytes }) => {
	expect(sniffHead(bytes)?.name).toBe('MP3');
});

it.each<{ what: string; bytes: Buffer }>([
	{ what: 'the cut header of a frame', bytes: header.subarray(0, 3) },
	{
		what: 'one frame and then something else',
		bytes: Buffer.concat([createMp3(1), Buffer.alloc(9)]),
	},
	{
		what: 'two frames and then something else',
		bytes: Buffer.concat([createMp3(2), Buffer.alloc(9)]),
	},
	{ what: 'one frame after something else', bytes: prependBytes(createMp3(1)) },
	{
		what: 'two frames and a cut header after other bytes',
		bytes: prependBytes(createMp3(2), header.subarray(0, 3)),
	},
	{
		what: 'three frames whose last is of another layer',
		bytes: prependBytes(createMp3(2), createFrame([0xff, 0xfd, 0x18])),
	},
	{
		what: 'three frames whose last has another rate',
		bytes: prependBytes(createMp3(2), createFrame([0xff, 0xfb, 0x14])),
	},
	{ what: 'a frame without all bits in front', bytes: createFrame([0xff, 0x1b, 0x18]) },
	{ what: 'a frame of a reserved rate', bytes: createFrame([0xff, 0xfb, 0x1c]) },
	{ what: 'a frame of a reserved version', bytes: createFrame([0xff, 0xeb, 0x18]) },
])('does not recognize $what as MP3', ({ bytes }) => {
	expect(sniffHead(bytes)).toBeUndefined();
});

/** A frame that contains a header for variable rates, which declares 500 frames (18 seconds). */
function createCountedFrame(name: string, offset: number, countOffset: number, flags = 3): Buffer {
	const bytes = createFrame(plain);
	bytes.write(name, offset);
	bytes.writeUInt32BE(flags, offset + 4);
	bytes.writeUInt32BE(500, countOffset);
	bytes.writeUInt32BE(bytes.length, countOffset + 4);
	return bytes;
}

const xing = createCountedFrame('Xing', 21, 29);

/** In seconds, at 32 kbit/s. */
const computeSeconds = (bytes: number) => bytes / 4000;

describe('the length of MP3', () => {
	it.each<{ what: string; bytes: Buffer; seconds: number }>([
		{ what: 'by Xing', bytes: xing, seconds: 18 },
		{ what: 'by Xing at the very end', bytes: xing.subarray(0, 37), seconds: 18 },
		{
			what: 'by its size where Xing is cut off',
			bytes: xing.subarray(0, 36),
			seconds: computeSeconds(36),
		},
		{
			what: 'by its size where Xing has no size',
			bytes: createCountedFrame('Xing', 21, 29, 1),
			seconds: computeSeconds(144),
		},
		{
			what: 'by its size where something else is there',
			bytes: createCountedFrame('none', 21, 29),
			seconds: computeSeconds(144),
		},
	])('is found $what', async ({ bytes, seconds }) => {
		const { properties } = await probeBytes(bytes);
		expect(properties).toEqual({ seconds, samplingRate: 32_000, channels: 1 });
	});

	/** Frames after a Xing header that counts this many bytes. */
	const createSizedFile = (size: number, frames: number) => {
		const header = createCountedFrame('Xing', 21, 29, 3);
		header.writeUInt32BE(size, 33);
		return Buffer.concat([header, createMp3(frames)]);
	};

	const faster = createFrame([0xff, 0xfb, 0x28, 0xc4], 180);

	it.each<{ what: string; bytes: Buffer; seconds: number }>([
		{
			what: 'by its header, which counts all bytes',
			bytes: createSizedFile(144 * 41, 40),
			seconds: 18,
		},
		{
			what: 'by its header, which counts an ID3v1 tag too',
			bytes: createSizedFile(144 * 41 + 128, 40),
			seconds: 18,
		},
		{
			what: 'by its size if all frames have one bit rate',
			bytes: createMp3(40),
			seconds: computeSeconds(5760),
		},
		{
			what: 'by its size if the last frame is incomplete',
			bytes: createMp3(40).subarray(0, -100),
			seconds: computeSeconds(5660),
		},
		{
			what: 'by its size, after reading the first 2 MiB',
			bytes: createMp3(20_000),
			seconds: computeSeconds(2_880_000),
		},
	])('is found $what', async ({ bytes, seconds }) => {
		const { properties, taken } = await probeBytes(bytes);
		expect(properties.seconds).toBe(seconds);
		expect(taken).toBeLessThan(2.2e6);
	});

	it.each<{ reason: string; bytes: Buffer }>([
		{ reason: 'most of it is missing', bytes: createSizedFile(144 * 500, 40) },
		{ reason: 'more comes after it', bytes: createSizedFile(144 * 41, 80) },
		{
			reason: 'an ID3v1 tag comes after it',
			bytes: Buffer.concat([createMp3(40), Buffer.alloc(128, 'TAG')]),
		},
		{ reason: 'zeros come after it', bytes: Buffer.concat([createMp3(40), Buffer.alloc(128)]) },
		{ reason: 'its end has another bit rate', bytes: Buffer.concat([createMp3(150), faster]) },
	])('is unknown if $reason', async ({ bytes }) => {
		const { properties, taken } = await probeBytes(bytes);
		expect(properties.seconds).toBeUndefined();
		expect(taken).toBeLessThan(2.2e6);
	});

	it('is found by its header in the first bytes only', async () => {
		const { properties, taken } = await probeBytes(createSizedFile(144 * 20_001, 20_000));
		expect(properties.seconds).toBe(18);
		expect(taken).toBeLessThan(70_000);
	});
});
