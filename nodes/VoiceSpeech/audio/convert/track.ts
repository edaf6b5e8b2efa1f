import type { ForwardReader } from '../../streams/forwardReader';
import { opusRate } from './opusPackets';

/** A part of a track that is decoded on its own. A chained Ogg file has several (RFC 3533, 4), any other file has one. */
export interface OpusLink {
	/** The identification header (RFC 7845, 5.1). */
	head: Buffer;
	packetCount: number;
	/** Samples at 48 kHz to drop at the start; includes the pre-skip. */
	skippedSamples: number;
	/** Samples at 48 kHz to play after that. */
	playedSamples: number;
}

/** Sampling rates in Hz that Opus is decoded to: one that is enough for speech, and its own, which loses nothing. */
export type DecodedRate = 16_000 | 48_000;

/** An Opus track, found by the first reading. It is decoded to WAV. */
export interface OpusTrack {
	kind: 'opus';
	links: OpusLink[];
	/** Length of all packets in bytes. */
	packetBytes: number;
	/**
	 * Reads the packets of all links in playing order, from another reading of the same recording.
	 *
	 * @throws {ConversionError} if it finds that the recording has changed
	 */
	readPackets(reader: ForwardReader): AsyncGenerator<Buffer>;
}

/** A part of a track that is played. */
export interface PlayedPart {
	/** Ticks between the start of the track and that of the part. */
	skippedTicks: number;
	/** Ticks to play after that. */
	playedTicks: number;
}

/** A track whose packets are copied into an M4A file, found by the first reading. */
export interface CopiedTrack {
	kind: 'copied';
	codec: 'aac' | 'alac';
	/** AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1), or ALAC's magic cookie. */
	config: Buffer;
	/** In Hz. */
	samplingRate: number;
	channels: number;
	/** Ticks per second of all durations. */
	timescale: number;
	/** Length of each packet in bytes, in playing order. */
	sizes: Uint32Array;
	/** Length of all packets in bytes. */
	packetBytes: number;
	/** Length of the largest packet in bytes, or more. */
	largestPacket: number;
	/**
	 * Runs of packets that last equally long: the number of packets of each and their duration in ticks, pair after pair. A
	 * million objects instead would keep V8's garbage collector busy for 100 ms at a time.
	 */
	durations: Uint32Array;
	/** Duration of all packets. */
	totalTicks: number;
	/** In playing order; undefined if the entire track is played. */
	playedParts?: PlayedPart[];
	/**
	 * Reads the packets in playing order, from another reading of the same recording.
	 *
	 * @throws {ConversionError} if it finds that the recording has changed
	 */
	readPackets(reader: ForwardReader): AsyncGenerator<Buffer>;
}

export type AudioTrack = OpusTrack | CopiedTrack;

/** A file that is sent as it is. */
export interface UnchangedFile {
	kind: 'unchanged';
}

/** The duration of what a track plays, in ticks. */
export function countPlayedTicks(track: CopiedTrack): number {
	const { playedParts } = track;
	if (playedParts === undefined) return track.totalTicks;
	return playedParts.reduce((sum, { playedTicks }) => sum + playedTicks, 0);
}

/**
 * The duration of what a track plays, in seconds, or of the track if it is longer: an edit list can play parts of it
 * twice, or only a small part.
 */
export function computeSeconds(track: AudioTrack): number {
	if (track.kind === 'opus') {
		return track.links.reduce((sum, { playedSamples }) => sum + playedSamples, 0) / opusRate;
	}
	return Math.max(track.totalTicks, countPlayedTicks(track)) / track.timescale;
}

/** A file that is made from a later reading of a recording, whose first reading found its length. */
export interface ConvertedFile {
	/** Exact length in bytes. */
	size: number;
	/**
	 * @param reader at the start of another reading of the same recording
	 * @throws {ConversionError} if the recording has changed
	 */
	chunks(reader: ForwardReader): AsyncGenerator<Uint8Array>;
}
