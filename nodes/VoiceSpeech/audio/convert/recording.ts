import { ConversionError, createDamagedError } from '../../errors/audioError';
import type { Container } from '../format';
import { maxLastPartExtension, maxParts } from '../../limits';
import { ForwardReader, type Reading } from '../../streams/forwardReader';
import { type ConvertedAudio, convertTrack, ReaderPool, scanAudio } from './convertAudio';
import { opusRate } from './opus';
import { cutPackets, readPacketParts } from './splitPackets';
import { cutWav, readWavParts, type SplittableWav } from './splitWav';
import {
	computeSeconds,
	countPlayedTicks,
	type AudioTrack,
	type CopiedTrack,
	type OpusTrack,
	type SampleFilter,
	type WavTrack,
} from './track';
import { createPcmFormat, headerBytes } from './wavFile';

/** What a recording contains. What its file does not show is undefined. */
export interface RecordingProperties {
	/** The usual name of the codec. */
	codec?: string;
	/** Exact duration of what is played. */
	seconds?: number;
	/** In Hz. */
	samplingRate?: number;
	channels?: number;
}

/** A recording that was read to its end. */
export interface Recording {
	properties: RecordingProperties;
	/** What it is converted to before it is sent; undefined if it is sent as it is. */
	converted: Pick<ConvertedAudio, 'format' | 'size'> | undefined;
	/**
	 * Finds the cuts between parts of it.
	 *
	 * @param partSeconds longest part
	 * @param cutsWhereQuiet whether to cut at a quiet place at the end of a part, if samples are known
	 * @returns undefined if it is not longer than a part
	 * @throws {ConversionError} if it cannot be split; otherwise what reading it throws
	 */
	split(partSeconds: number, cutsWhereQuiet: boolean): Promise<RecordingParts | undefined>;
	/** Stops all readers. */
	close(): void;
}

/** A recording that is cut into parts while it is read again. */
export interface RecordingParts {
	/** Name of the format of the parts. */
	format: 'WAV' | 'M4A' | 'MP3' | 'FLAC';
	/** Start and duration of each part. */
	times: Array<{ startSeconds: number; seconds: number }>;
	/** Reads the file of each part. One must be read to its end before the next. */
	files(): AsyncGenerator<AsyncGenerator<Uint8Array>>;
}

/** Sampling rate in Hz of what is decoded, as for all operations but Clone. */
const speechRate = 16_000;

const codecNames = { aac: 'AAC', alac: 'Apple Lossless', mp3: 'MP3', flac: 'FLAC' };

function describeTrack(track: AudioTrack): RecordingProperties {
	switch (track.kind) {
		case 'opus': {
			// The number of channels (RFC 7845, 5.1).
			const channels = track.links[0]!.head[9]!;
			return {
				codec: 'Opus',
				seconds: computeSeconds(track),
				samplingRate: opusRate,
				channels,
			};
		}
		case 'copied': {
			const { samplingRate, channels, timescale } = track;
			const seconds = countPlayedTicks(track) / timescale;
			return { codec: codecNames[track.codec], seconds, samplingRate, channels };
		}
		case 'wav': {
			const { codec, seconds, samplingRate, channels } = track;
			return { codec, seconds, samplingRate, channels };
		}
	}
}

/** @throws {ConversionError} for more than the maximum */
function checkPartCount(count: number): void {
	if (count > maxParts) throw new ConversionError({ kind: 'tooManyParts', count });
}

/** How a recording is split. */
interface SplitSource {
	readers: ReaderPool;
	yieldToEventLoop(): Promise<void>;
	partSeconds: number;
	cutsWhereQuiet: boolean;
}

const formatsOfParts = { aac: 'M4A', alac: 'M4A', mp3: 'MP3', flac: 'FLAC' } as const;

/** Cuts between packets, which are copied. */
function splitPackets(track: CopiedTrack, { readers, partSeconds }: SplitSource): RecordingParts {
	const ranges = cutPackets(track, partSeconds, maxLastPartExtension);
	const { timescale } = track;
	return {
		format: formatsOfParts[track.codec],
		times: ranges.map(({ playedBefore, played }) => ({
			startSeconds: playedBefore / timescale,
			seconds: played / timescale,
		})),
		async *files() {
			yield* readPacketParts(track, ranges, await readers.open());
		},
	};
}

/** The WAV file that a recording is decoded to. */
function describeWav({ size }: ConvertedAudio): SplittableWav {
	const dataBytes = size - headerBytes;
	return {
		kind: 'wav',
		codec: 'PCM',
		formatChunk: createPcmFormat(speechRate),
		samplingRate: speechRate,
		channels: 1,
		dataOffset: headerBytes,
		dataBytes,
		blockBytes: 2,
		blockSamples: 1,
		seconds: dataBytes / 2 / speechRate,
	};
}

/** Seconds of a decoded recording before those that are needed, in which a decoder gets going. */
const decodedBefore = 1;

/**
 * Cuts between samples.
 *
 * @param converted the conversion that makes the WAV file; undefined if the recording itself is one
 */
async function splitWav(
	track: SplittableWav,
	{ readers, yieldToEventLoop, partSeconds, cutsWhereQuiet }: SplitSource,
	converted?: ConvertedAudio,
): Promise<RecordingParts> {
	async function open(isWanted?: SampleFilter): Promise<ForwardReader> {
		if (converted === undefined) return await readers.open();
		return new ForwardReader(
			{ chunks: converted.chunks(isWanted), close: () => {} },
			{ yieldToEventLoop },
		);
	}
	let searchStart = 0;
	const isWanted = (second: number) => second >= searchStart - decodedBefore;
	const cuts = await cutWav(
		track,
		partSeconds,
		maxLastPartExtension,
		cutsWhereQuiet ? await open(isWanted) : undefined,
		(second) => {
			searchStart = second;
		},
	);
	const toSeconds = (blocks: number) => (blocks * track.blockSamples) / track.samplingRate;
	return {
		format: 'WAV',
		times: cuts.slice(1).map((end, index) => ({
			startSeconds: toSeconds(cuts[index]!),
			seconds: toSeconds(end - cuts[index]!),
		})),
		async *files() {
			yield* readWavParts(track, cuts, await open());
		},
	};
}

/**
 * Reads a recording to its end.
 *
 * @param startReading called now, and again where one reading does not show everything
 * @throws {ConversionError} for a recording that cannot be sent; otherwise what reading it throws
 */
export async function readRecording(
	container: Container,
	startReading: () => Promise<Reading>,
	yieldToEventLoop: () => Promise<void>,
): Promise<Recording> {
	const readers = new ReaderPool(startReading, yieldToEventLoop);
	const track = await scanAudio(container, readers, true);
	const close = () => readers.closeAll();
	if (track.kind === 'unchanged') {
		const split = () => Promise.reject(createDamagedError());
		return { properties: {}, converted: undefined, split, close };
	}
	const scanned: AudioTrack = track;
	const converted = convertTrack(scanned, readers, speechRate);
	const properties = describeTrack(scanned);

	async function split(
		partSeconds: number,
		cutsWhereQuiet: boolean,
	): Promise<RecordingParts | undefined> {
		const { seconds, codec = '' } = properties;
		if (seconds === undefined) throw new ConversionError({ kind: 'notSplit', codec });
		if (seconds <= partSeconds + maxLastPartExtension) return undefined;
		checkPartCount(Math.ceil((seconds - maxLastPartExtension) / partSeconds));
		const source = { readers, yieldToEventLoop, partSeconds, cutsWhereQuiet };
		const parts =
			scanned.kind === 'copied'
				? splitPackets(scanned, source)
				: await splitSamples(scanned, source);
		checkPartCount(parts.times.length);
		return parts;
	}

	/** @throws {ConversionError} if the samples are compressed in blocks of unknown duration */
	async function splitSamples(
		samples: OpusTrack | WavTrack,
		source: SplitSource,
	): Promise<RecordingParts> {
		if (samples.kind === 'opus') return await splitWav(describeWav(converted!), source, converted);
		const { blockSamples, codec } = samples;
		if (blockSamples === undefined) throw new ConversionError({ kind: 'notSplit', codec });
		return await splitWav({ ...samples, blockSamples }, source);
	}

	return { properties, converted, split, close };
}
