import type { ForwardReader } from '../../streams/forwardReader';
import { readFlacFrame, renumberFrame } from './flacFrames';
import { joinPackets } from './joinPackets';
import type { CopiedTrack } from './track';

/** The start of a file: its signature, and the header of the only metadata block, STREAMINFO (RFC 9639, 6 and 8.1). */
const fileStart = Buffer.from('664c614380000022', 'hex');

/** The number of samples has 36 bits; its upper four are the lower half of a byte (RFC 9639, 8.2). */
const samplesOffset = 13;

/** STREAMINFO of a file with some frames of a track. */
function createStreamInfo({ config, totalTicks }: CopiedTrack): Buffer {
	const info = Buffer.from(config);
	// The shortest and the longest frame, and the checksum of all samples: unknown.
	info.fill(0, 4, 10);
	info.fill(0, 18);
	info[samplesOffset] = (info[samplesOffset]! & 0xf0) | Math.floor(totalTicks / 2 ** 32);
	info.writeUInt32BE(totalTicks % 2 ** 32, samplesOffset + 1);
	return info;
}

/** Prepares a FLAC file with frames of a track, whose numbers start at 0, because decoders expect that. */
export function prepareFlac(track: CopiedTrack): {
	chunks(reader: ForwardReader): AsyncGenerator<Uint8Array>;
} {
	async function* listFrames(reader: ForwardReader): AsyncGenerator<Buffer> {
		yield Buffer.concat([fileStart, createStreamInfo(track)]);
		let first: number | undefined;
		for await (const packet of track.readPackets(reader)) {
			await reader.yieldToEventLoop();
			const { number } = readFlacFrame(packet, 0)!;
			first ??= number;
			yield first === 0 ? packet : renumberFrame(packet, number - first);
		}
	}

	return { chunks: (reader) => joinPackets(listFrames(reader)) };
}
