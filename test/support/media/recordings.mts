import { createHash } from 'node:crypto';

/* The smallest files that have each format. */

export function createWav(seconds = 0.1, rate = 16_000, channels = 1): Buffer {
	const data = Buffer.alloc(Math.round(seconds * rate) * channels * 2);
	for (let at = 0; at + 1 < data.length; at += 2) {
		data.writeInt16LE(Math.round(8000 * Math.sin(at / 20)), at);
	}
	return Buffer.concat([createWavHeader(data.length, rate, channels), data]);
}

/** The header of a WAV file: 16-bit PCM, rate in Hz. */
export function createWavHeader(dataBytes: number, rate: number, channels: number): Buffer {
	const head = Buffer.alloc(44);
	head.write('RIFF', 0);
	head.writeUInt32LE(36 + dataBytes, 4);
	head.write('WAVEfmt ', 8);
	head.writeUInt32LE(16, 16);
	head.writeUInt16LE(1, 20);
	head.writeUInt16LE(channels, 22);
	head.writeUInt32LE(rate, 24);
	head.writeUInt32LE(rate * channels * 2, 28);
	head.writeUInt16LE(channels * 2, 32);
	head.writeUInt16LE(16, 34);
	head.write('data', 36);
	head.writeUInt32LE(dataBytes, 40);
	return head;
}

/** MP3 frames of silence: MPEG 1 layer III, 32 kbit/s, 32 kHz, mono. */
export function createMp3(frames = 10): Buffer {
	const frame = Buffer.alloc(144);
	frame.set([0xff, 0xfb, 0x18, 0xc4]);
	return Buffer.concat(new Array<Buffer>(frames).fill(frame));
}

/** Bytes that do not compress, the same ones in each run: a hash of this length. */
export const createNoise = (length: number) =>
	createHash('shake256', { outputLength: length }).digest();

/** Audio without a header, such as raw PCM, whose bytes have no meaning of their own. */
export const rawSamples = Buffer.from(Array.from({ length: 900 }, (_, index) => (index * 7) % 251));

/** An ID3v2 tag of this length in bytes: its header, and zeros. */
export function createId3Tag(length: number, { version = 4, flags = 0 } = {}): Buffer {
	const bytes = Buffer.alloc(length);
	const size = [21, 14, 7, 0].map((shift) => ((length - 10) >> shift) & 127);
	bytes.set([...Buffer.from('ID3'), version, 0, flags, ...size]);
	return bytes;
}

/** An APEv2 tag of this length in bytes, with a header. */
export function createApeTag(length: number): Buffer {
	const bytes = Buffer.alloc(length, 1);
	bytes.write('APETAGEX', 'latin1');
	bytes.writeUInt32LE(2000, 8);
	bytes.writeUInt32LE(length - 32, 12);
	return bytes;
}
