/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { Buffer } from 'node:buffer';

import { wavHeader } from '../support/recordings';

/** A WAV file of silence, written without any help of the emulator. */
export function wav({ seconds = 1, rate = 8000, channels = 1 } = {}): Buffer {
	const data = Buffer.alloc(Math.round(seconds * rate) * channels * 2);
	return Buffer.concat([wavHeader(data.length, rate, channels), data]);
}

/** Frames of MPEG 1 layer III, 128 kbit/s, 44.1 kHz, joint stereo: 1152 samples each. */
export function mp3(frames = 100): Buffer {
	const frame = Buffer.alloc(417);
	frame.writeUInt32BE(0xfffb9064);
	return Buffer.concat(Array.from({ length: frames }, () => frame));
}

/** An ID3v2.4 tag of any size. */
export function id3(bytes: number): Buffer {
	const tag = Buffer.alloc(10 + bytes);
	tag.write('ID3\x04');
	for (let index = 0; index < 4; index++) tag[9 - index] = (bytes >> (7 * index)) & 0x7f;
	return tag;
}

/** A FLAC file's header alone: 48 kHz, two channels, two seconds. */
export function flac(): Buffer {
	const info = Buffer.alloc(34);
	info.writeUInt16BE(4096, 0);
	info.writeUInt16BE(4096, 2);
	// 20 bits rate, 3 bits channels - 1, 5 bits depth - 1, 36 bits samples
	info.writeBigUInt64BE((48_000n << 44n) | (1n << 41n) | (15n << 36n) | 96_000n, 10);
	return Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, 34]), info]);
}

/** The beginning of an MPEG-4 file of a brand. */
export function mpeg4(brand: string): Buffer {
	const head = Buffer.alloc(40);
	head.writeUInt32BE(20, 0);
	head.write(`ftyp${brand}`, 4);
	head.write(brand, 16);
	head.writeUInt32BE(20, 20);
	head.write('mdat', 24);
	return head;
}
