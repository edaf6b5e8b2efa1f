import { measured } from '../support/audioFiles';
import { wav } from '../support/recordings';

function chunk(name: string, content: Buffer): Buffer {
	const head = Buffer.alloc(8);
	head.write(name);
	head.writeUInt32LE(content.length, 4);
	return Buffer.concat([head, content]);
}

/** The format's fields that are read: 1 stands for PCM, 2 for ADPCM. */
function fmt(tag: number, rate = 8000, bytesPerSecond = 4000): Buffer {
	const content = Buffer.alloc(16);
	content.writeUInt16LE(tag, 0);
	content.writeUInt16LE(1, 2);
	content.writeUInt32LE(rate, 4);
	content.writeUInt32LE(bytesPerSecond, 8);
	return chunk('fmt ', content);
}

function fact(samples: number): Buffer {
	const content = Buffer.alloc(4);
	content.writeUInt32LE(samples);
	return chunk('fact', content);
}

const riff = (...chunks: Buffer[]) => Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), ...chunks]);

const data = chunk('data', Buffer.alloc(2000));

/** A recorder that was switched off: the length of the data is 0. */
function crashed(): Buffer {
	const bytes = wav(2);
	bytes.writeUInt32LE(0, 40);
	return bytes;
}

const known = { samplingRate: 8000, channels: 1 };
const plain = { samplingRate: 16_000, channels: 1 };
const counted = { ...known, seconds: 0.75 };
const more = (length: number) => Buffer.concat([wav(2), Buffer.alloc(length)]);

it.each<[string, Buffer, object]>([
	['compressed, and it counts its samples', riff(fmt(2), fact(6000), data), counted],
	['compressed, and it counts none', riff(fmt(2), data), known],
	['compressed into a pipe', riff(fmt(2), fact(0xffff_ffff), data), known],
	['compressed into another pipe', riff(fmt(2), fact(0x7fff_f000), data), known],
	['PCM with a wrong count', riff(fmt(1), fact(6000), data), { ...known, seconds: 0.5 }],
	['cut off in front of the data', riff(fmt(2), fact(6000)), counted],
	['cut off behind the format', riff(fmt(1)), known],
	['without a sampling rate', riff(fmt(2, 0), fact(6000), data), { channels: 1 }],
	['cut off in the format', riff(fmt(1)).subarray(0, -1), {}],
	['without any samples', wav(0), { ...plain, seconds: 0 }],
	['with a tenth behind the data', more(6400), { ...plain, seconds: 2 }],
	['with more behind the data', more(6401), plain],
	['with a length that was never written', crashed(), { ...plain, seconds: 2 }],
])('the header of WAV: %s', async (_case, bytes, expected) => {
	expect((await measured(bytes)).measures).toEqual(expected);
});
