import { probeBytes } from '../support/media/audioFiles.mts';
import { createWav } from '../support/media/recordings.mts';

function createChunk(name: string, content: Buffer): Buffer {
	const head = Buffer.alloc(8);
	head.write(name);
	head.writeUInt32LE(content.length, 4);
	return Buffer.concat([head, content]);
}

/** The format of mono audio: 1 stands for PCM, 2 for ADPCM. Its average byte rate is wrong. */
function createFormat(tag: number, { rate = 8000, blockAlign = 2, bits = 16, subformat = 0 } = {}) {
	const content = Buffer.alloc(subformat === 0 ? 16 : 40);
	content.writeUInt16LE(tag, 0);
	content.writeUInt16LE(1, 2);
	content.writeUInt32LE(rate, 4);
	content.writeUInt32LE(4000, 8);
	content.writeUInt16LE(blockAlign, 12);
	content.writeUInt16LE(bits, 14);
	if (subformat !== 0) content.writeUInt16LE(subformat, 24);
	return createChunk('fmt ', content);
}

/** The tag of WAVE_FORMAT_EXTENSIBLE, whose subformat is the tag of the codec. */
const extensible = 0xfffe;

function createFact(samples: number): Buffer {
	const content = Buffer.alloc(4);
	content.writeUInt32LE(samples);
	return createChunk('fact', content);
}

const createRiff = (...chunks: Buffer[]) =>
	Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), ...chunks]);

const data = createChunk('data', Buffer.alloc(2000));

/** The file of a recorder that was switched off, so that the length of the data is 0. */
function createCrashedFile(): Buffer {
	const bytes = createWav(2);
	bytes.writeUInt32LE(0, 40);
	return bytes;
}

const known = { samplingRate: 8000, channels: 1 };
const plain = { samplingRate: 16_000, channels: 1 };
const counted = { ...known, seconds: 0.75 };
const createLongerWav = (length: number) => Buffer.concat([createWav(2), Buffer.alloc(length)]);

it.each<{ what: string; bytes: Buffer; expected: object }>([
	{
		what: 'compressed audio with the number of its samples',
		bytes: createRiff(createFormat(2), createFact(6000), data),
		expected: counted,
	},
	{
		what: 'compressed audio whose number of samples is the largest possible, as a program writes it into a pipe',
		bytes: createRiff(createFormat(2), createFact(0xffff_ffff), data),
		expected: known,
	},
	{
		what: 'compressed audio whose number of samples is 0x7ffff000, as sox writes it into a pipe',
		bytes: createRiff(createFormat(2), createFact(0x7fff_f000), data),
		expected: known,
	},
	{
		what: 'PCM of 12 bits in two bytes',
		bytes: createRiff(createFormat(1, { bits: 12 }), data),
		expected: { ...known, seconds: 0.125 },
	},
	{
		what: 'extensible compressed audio',
		bytes: createRiff(createFormat(extensible, { subformat: 2 }), createFact(6000), data),
		expected: counted,
	},
	{
		what: 'PCM with an impossible block align',
		bytes: createRiff(createFormat(1, { blockAlign: 1 }), data),
		expected: known,
	},
	{
		what: 'PCM without a sampling rate',
		bytes: createRiff(createFormat(1, { rate: 0 }), data),
		expected: { channels: 1 },
	},
	{
		what: 'a file that is cut off before the data',
		bytes: createRiff(createFormat(2), createFact(6000)),
		expected: counted,
	},
	{
		what: 'a file that is cut off in the format',
		bytes: createRiff(createFormat(1)).subarray(0, -1),
		expected: {},
	},
	{
		what: 'a file with a tenth of its length after the data',
		bytes: createLongerWav(6400),
		expected: { ...plain, seconds: 2 },
	},
	{
		what: 'a file with more than a tenth of its length after the data',
		bytes: createLongerWav(6401),
		expected: plain,
	},
	{
		what: 'a file whose length was never written',
		bytes: createCrashedFile(),
		expected: { ...plain, seconds: 2 },
	},
])('reads the WAV header of $what', async ({ bytes, expected }) => {
	expect((await probeBytes(bytes)).properties).toEqual(expected);
});
