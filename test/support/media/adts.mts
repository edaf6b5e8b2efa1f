import { maxKeptUrlBytes } from '../../../nodes/VoiceSpeech/limits.ts';

export interface FrameOptions {
	/** 1: plain AAC. */
	profile?: number;
	rateIndex?: number;
	channels?: number;
	hasChecksum?: boolean;
	blocks?: number;
	/** The bit for private use, and two for copyright. */
	others?: boolean;
}

/** A frame of ADTS around a packet (ISO/IEC 14496-3, 1.A.2.2). */
export function createAdtsFrame(packet: Buffer, options: FrameOptions = {}): Buffer {
	const { profile = 1, rateIndex = 8, channels = 1, hasChecksum = false } = options;
	const { blocks = 1, others = false } = options;
	const length = (hasChecksum ? 9 : 7) + packet.length;
	const bits =
		(0xfff0n << 40n) |
		(hasChecksum ? 0n : 1n << 40n) |
		(BigInt(profile) << 38n) |
		(BigInt(rateIndex) << 34n) |
		(others ? 1n << 33n : 0n) |
		(BigInt(channels) << 30n) |
		(others ? 3n << 26n : 0n) |
		(BigInt(length) << 13n) |
		(0x7ffn << 2n) |
		BigInt(blocks - 1);
	const header = Buffer.from(bits.toString(16), 'hex');
	return Buffer.concat([header, Buffer.alloc(hasChecksum ? 2 : 0, 0x55), packet]);
}

/**
 * AAC that is longer than what the node keeps of the first reading of a URL, so that it is read twice. Most of its frames
 * are long, because a conversion takes its time for each frame and not for each byte. The first three are recognized.
 *
 * @param content repeated in each packet
 */
export function createLongAdts(content = 'packet'): Buffer {
	const start = Array<Buffer>(3).fill(createAdtsFrame(Buffer.alloc(100, content)));
	const frame = createAdtsFrame(Buffer.alloc(8_000, content));
	const count = Math.ceil((1.05 * maxKeptUrlBytes) / frame.length);
	return Buffer.concat([...start, ...Array<Buffer>(count).fill(frame)]);
}
