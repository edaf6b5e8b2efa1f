import { ConversionError } from '../../errors/audioError';
import { maxPackets } from '../../limits';
import type { ForwardReader } from '../../streams/forwardReader';
import type { WavFormat } from '../headers/wav';
import { opusRate } from './opus';

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

/** A track whose packets can be copied into another file, found by the first reading. */
export interface CopiedTrack {
	kind: 'copied';
	/** AAC and ALAC are copied into M4A. MP3 and FLAC have files of their own. */
	codec: 'aac' | 'alac' | 'mp3' | 'flac';
	/**
	 * AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1), ALAC's magic cookie, the header of the first frame of MP3, or
	 * STREAMINFO of FLAC (RFC 9639, 8.2).
	 */
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
	/** Whether it is that of an M4A file, which is sent as it is. */
	isSentUnchanged?: boolean;
	/**
	 * Reads the packets in playing order, from another reading of the same recording.
	 *
	 * @throws {ConversionError} if it finds that the recording has changed
	 */
	readPackets(reader: ForwardReader): AsyncGenerator<Buffer>;
}

/** The samples of a WAV file, found by the first reading. A file can be cut only between blocks. */
export interface WavTrack extends WavFormat {
	kind: 'wav';
	/** The usual name of the codec. */
	codec: string;
	/** Offset of the samples in the file, in bytes. */
	dataOffset: number;
	/** Length of the samples in bytes. */
	dataBytes: number;
	/** Duration; undefined if the format does not specify it. */
	seconds: number | undefined;
}

export type AudioTrack = OpusTrack | CopiedTrack | WavTrack;

/** A track that is converted before it is sent. */
export type ConvertibleTrack = OpusTrack | CopiedTrack;

/** Whether a track is converted before it is sent. WAV, MP3, FLAC and M4A are sent as they are. */
export function isConverted(track: AudioTrack): track is ConvertibleTrack {
	if (track.kind === 'opus') return true;
	const isCopied = track.kind === 'copied' && track.isSentUnchanged !== true;
	return isCopied && (track.codec === 'aac' || track.codec === 'alac');
}

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
export function computeSeconds(track: ConvertibleTrack): number {
	if (track.kind === 'opus') {
		return track.links.reduce((sum, { playedSamples }) => sum + playedSamples, 0) / opusRate;
	}
	return Math.max(track.totalTicks, countPlayedTicks(track)) / track.timescale;
}

/** Whether samples at this time, in seconds, are needed. Others may be silence, which takes less time to make. */
export type SampleFilter = (second: number) => boolean;

/** A file that is made from a later reading of a recording, whose first reading found its length. */
export interface ConvertedFile {
	/** Exact length in bytes. */
	size: number;
	/**
	 * @param reader at the start of another reading of the same recording
	 * @param isWanted which samples of a file with decoded samples are needed; all by default
	 * @throws {ConversionError} if the recording has changed
	 */
	chunks(reader: ForwardReader, isWanted?: SampleFilter): AsyncGenerator<Uint8Array>;
}

/**
 * Makes room for one more number in a typed array, whose capacity doubles.
 *
 * @param index of the number that is written next; at most the length of the array
 * @returns the array itself, or a larger one with the same numbers if `index` does not fit
 */
export function growToFit<T extends Uint32Array | Float64Array>(array: T, index: number): T {
	if (index < array.length) return array;
	const Type = array.constructor as new (length: number) => T;
	const larger = new Type(2 * array.length);
	larger.set(array);
	return larger;
}

/** The length of each packet of a track in bytes. */
export class PacketSizes {
	count = 0;
	totalBytes = 0;
	private largest = 0;
	private sizes = new Uint32Array(1024);

	/** @throws {ConversionError} for more than {@link maxPackets} */
	add(size: number): void {
		if (this.count === maxPackets) throw new ConversionError({ kind: 'tooManyPackets' });
		this.sizes = growToFit(this.sizes, this.count);
		this.sizes[this.count] = size;
		this.count++;
		this.totalBytes += size;
		if (size > this.largest) this.largest = size;
	}

	get(index: number): number {
		return this.sizes[index]!;
	}

	/**
	 * Removes the last one.
	 *
	 * @returns its length in bytes
	 */
	removeLast(): number {
		this.count--;
		const size = this.sizes[this.count]!;
		this.totalBytes -= size;
		return size;
	}

	/** The lengths of some packets. They are not copied. */
	list(start: number, end: number): Uint32Array {
		return this.sizes.subarray(start, end);
	}

	/** What a track says of the lengths of all packets. */
	describe(): Pick<CopiedTrack, 'sizes' | 'packetBytes' | 'largestPacket'> {
		return {
			sizes: this.list(0, this.count),
			packetBytes: this.totalBytes,
			largestPacket: this.largest,
		};
	}
}

/** How much is passed on at a time, in bytes. */
export const chunkBytes = 64 * 1024;

/** Joins packets to chunks of {@link chunkBytes} or more, because each chunk has a cost of its own. */
export async function* joinPackets(packets: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
	let parts: Uint8Array[] = [];
	let length = 0;
	for await (const packet of packets) {
		parts.push(packet);
		length += packet.length;
		if (length < chunkBytes) continue;
		yield Buffer.concat(parts);
		parts = [];
		length = 0;
	}
	if (length > 0) yield Buffer.concat(parts);
}
