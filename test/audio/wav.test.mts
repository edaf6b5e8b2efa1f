import { scanWav } from '../../nodes/VoiceSpeech/audio/convert/wavFile.ts';
import { sniffFormat } from '../../nodes/VoiceSpeech/audio/format.ts';
import { findAudioGap } from '../../nodes/VoiceSpeech/audio/probeAudio.ts';
import { createAudioReader, probeBytes, readAudioFile } from '../support/media/audioFiles.mts';
import { createReader } from '../support/media/conversion.mts';
import { createWav } from '../support/media/recordings.mts';

function createChunk(name: string, content: Buffer): Buffer {
	const head = Buffer.alloc(8);
	head.write(name);
	head.writeUInt32LE(content.length, 4);
	return Buffer.concat([head, content]);
}

/** The format of mono audio: 1 stands for PCM, 2 for ADPCM. Its average byte rate is wrong. */
function createFormat(tag: number, { rate = 8000, blockAlign = 2, bits = 16 } = {}) {
	const content = Buffer.alloc(16);
	content.writeUInt16LE(tag, 0);
	content.writeUInt16LE(1, 2);
	content.writeUInt32LE(rate, 4);
	content.writeUInt32LE(4000, 8);
	content.writeUInt16LE(blockAlign, 12);
	content.writeUInt16LE(bits, 14);
	return createChunk('fmt ', content);
}

function createFact(samples: number): Buffer {
	const content = Buffer.alloc(4);
	content.writeUInt32LE(samples);
	return createChunk('fact', content);
}

const createRiff = (...chunks: Buffer[]) =>
	Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), ...chunks]);

const data = createChunk('data', Buffer.alloc(2000));

const known = { samplingRate: 8000, channels: 1 };
const plain = { samplingRate: 16_000, channels: 1 };
const counted = { ...known, seconds: 0.75 };
const shorter = { ...known, seconds: 2041 / 8000 };
const createLongerWav = (length: number) => Buffer.concat([createWav(2), Buffer.alloc(length)]);

const compressed = createFormat(2);
const createPcm = (change: object) => createRiff(createFormat(1, change), data);

it.each<[what: string, expected: object, bytes: Buffer]>([
	// Programs write these numbers into a pipe; the second is that of sox.
	['the largest number of samples', known, createRiff(compressed, createFact(0xffff_ffff), data)],
	['0x7ffff000 samples', known, createRiff(compressed, createFact(0x7fff_f000), data)],
	['12 bits in two bytes', { ...known, seconds: 0.125 }, createPcm({ bits: 12 })],
	['more samples counted than it has', shorter, readAudioFile('ima-adpcm.wav').subarray(0, 1500)],
	['an impossible block align', known, createPcm({ blockAlign: 1 })],
	['no sampling rate', { channels: 1 }, createPcm({ rate: 0 })],
	['an end before the data', counted, createRiff(compressed, createFact(6000))],
	['an end in the format', {}, createRiff(createFormat(1)).subarray(0, -1)],
	['a tenth of its length after the data', { ...plain, seconds: 2 }, createLongerWav(6400)],
	['more than a tenth after the data', plain, createLongerWav(6401)],
])('a WAV header with %s has %j', async (_, expected, bytes) => {
	expect((await probeBytes(bytes)).properties).toEqual(expected);
});

/** From a recorder that was switched off, so that the length of the data is 0. */
const silence = createWav().fill(0, 40);

it.each<[what: string, gap: string, bytes: Buffer]>([
	['silence whose length was never written', 'none', silence],
	['an unknown length behind tags', 'none', readAudioFile('ffmpeg-streamed.wav')],
	['a second less than its header specifies', 'end', createWav(2).subarray(0, -32_000)],
])('a WAV file with %s lacks of its audio: %s', async (_, gap, bytes) => {
	const { reader } = await createAudioReader(bytes);
	expect(await findAudioGap(reader, await sniffFormat(reader))).toBe(gap);
});

it('is not read further after thousands of chunks', async () => {
	const chunks = new Array<Buffer>(2000).fill(createChunk('LIST', Buffer.of()));
	const wav = createRiff(createFormat(1), ...chunks, data);
	const scan = scanWav(createReader(wav));
	await expect(scan).rejects.toMatchObject({ obstacle: { kind: 'noAudio' } });
});
