import { ConversionError, createDamagedError } from '../../errors/audioError';

/** Samples per second of everything that Opus counts in samples, regardless of the decoded rate (RFC 7845, 4). */
export const opusRate = 48_000;

/** Longest valid packet in samples, 120 ms (RFC 6716, 3.2.5). */
export const maxPacketSamples = 5760;

/**
 * Longest packet in bytes that can be valid. It has 48 frames of 2.5 ms, each with 1,275 bytes and its length (RFC 6716,
 * 3.2).
 */
export const maxPacketBytes = 48 * (1275 + 2) + 2;

/** Lengths of the frames that speech is coded in, 10, 20, 40 and 60 ms, in samples. */
const silkFrames = [480, 960, 1920, 2880];

/** Samples of one frame, by the configuration number (RFC 6716, table 2). */
function countFrameSamples(configuration: number): number {
	if (configuration < 12) return silkFrames[configuration & 3]!;
	if (configuration < 16) return configuration & 1 ? 960 : 480;
	return 120 << (configuration & 3);
}

/** Number of frames of a packet (RFC 6716, 3.2). */
function countPacketFrames(packet: Uint8Array): number {
	const code = packet[0]! & 3;
	if (code === 0) return 1;
	if (code < 3) return 2;
	return (packet[1] ?? 0) & 63;
}

/** @returns the duration of a packet in samples; 0 if it has none that is valid */
export function countSamples(packet: Uint8Array): number {
	const toc = packet[0];
	if (toc === undefined) return 0;
	const samples = countPacketFrames(packet) * countFrameSamples(toc >> 3);
	return samples > maxPacketSamples ? 0 : samples;
}

/** What the identification header contains (RFC 7845, 5.1). */
interface OpusHead {
	/** Samples to drop at the start. */
	preSkip: number;
	/** Factor for all samples. */
	gain: number;
}

/** @throws {ConversionError} if the header is damaged, or describes more than two channels, or more than one stream */
export function readOpusHead(head: Buffer): OpusHead {
	if (head.length < 19 || head.toString('latin1', 0, 8) !== 'OpusHead' || head[8]! > 15) {
		throw createDamagedError();
	}
	const channels = head[9]!;
	const mappingFamily = head[18]!;
	if (channels === 0) throw createDamagedError();
	if (channels > 2) {
		throw new ConversionError({ kind: 'codec', codec: 'Opus with more than two channels' });
	}
	// Family 0 has no table, and one stream. All others name the number of streams.
	const streams = mappingFamily === 0 ? 1 : (head[19] ?? 0);
	if (streams === 0) throw createDamagedError();
	if (streams > 1) {
		throw new ConversionError({ kind: 'codec', codec: 'Opus with several streams' });
	}
	// In decibels, with 8 bits after the point.
	const gain = 10 ** (head.readInt16LE(16) / 256 / 20);
	return { preSkip: head.readUInt16LE(10), gain };
}
