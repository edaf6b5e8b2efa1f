import { maxConvertedSeconds, maxSecondsOfAnySize, minBytesPerSecond } from '../../limits';
import { ConversionError } from '../conversionError';
import type { Container } from '../format';
import { ForwardReader, type ReadAgain, type Reading } from './forwardReader';
import { scanIsobmff } from './isobmff/scanIsobmff';
import { prepareM4a } from './m4aFile';
import { scanMatroska } from './matroska/scanMatroska';
import { measurePackets } from './opusPackets';
import { scanAdts } from './scanAdts';
import { scanOgg } from './scanOgg';
import {
	countPlayedTicks,
	type AudioTrack,
	type DecodedRate,
	type OpusTrack,
	type UnchangedFile,
	type ConvertedFile,
} from './track';
import { prepareWav } from './wavFile';

/** Sampling rate in Hz that is enough for speech. Wideband speech has frequencies up to 8 kHz (RFC 6716, 2). */
const speechRate: DecodedRate = 16_000;

type Scanner = (reader: ForwardReader, readAgain: ReadAgain) => Promise<AudioTrack | UnchangedFile>;

const scanners: Record<Container, Scanner> = {
	ogg: scanOgg,
	matroska: scanMatroska,
	isobmff: scanIsobmff,
	adts: scanAdts,
};

export interface ConversionOptions {
	/** Whether a decoded recording keeps its full bandwidth. Otherwise it gets the sampling rate of speech. */
	keepsBandwidth: boolean;
	/** Awaited regularly, so that the process can do other work; must be cheap if it is too early for that. */
	yieldToEventLoop(): Promise<void>;
}

/** A recording that is converted while it is read. */
export interface ConvertedAudio {
	kind: 'converted';
	/** Name of the format that it is converted to. */
	format: 'WAV' | 'M4A';
	/** Exact length in bytes. */
	size: number;
	/** Duration of what is played. */
	seconds: number;
	/** In Hz. */
	samplingRate: number;
	channels: number;
	/**
	 * Reads the recording again. Yields exactly {@link size} bytes.
	 *
	 * @throws {ConversionError} if the recording has changed; otherwise what reading it throws
	 */
	chunks(): AsyncGenerator<Uint8Array>;
	/** Stops all readers; may be called again. A read in progress may never settle. */
	close(): void;
}

/** @throws {ConversionError} for a recording that is too long, or has suspiciously few bytes for its duration */
function checkDuration(seconds: number, packetBytes: number): void {
	if (seconds > maxConvertedSeconds) throw new ConversionError({ kind: 'tooLong' });
	if (seconds > maxSecondsOfAnySize && packetBytes < seconds * minBytesPerSecond) {
		throw new ConversionError({ kind: 'tooFewBytes' });
	}
}

type Conversion = Pick<ConvertedAudio, 'format' | 'samplingRate' | 'channels'> & {
	file: ConvertedFile;
};

/**
 * @param highestWavRate highest sampling rate in Hz of a WAV file
 * @throws {ConversionError} if the track plays nothing, or {@link checkDuration} rejects it
 */
function prepareConversion(track: AudioTrack, highestWavRate: DecodedRate): Conversion {
	if (track.kind === 'opus') {
		const file = prepareWav(track, highestWavRate);
		if (file.seconds === 0) throw new ConversionError({ kind: 'noAudio' });
		checkDuration(file.seconds, track.packetBytes);
		return { format: 'WAV', samplingRate: file.samplingRate, channels: 1, file };
	}
	const { samplingRate, channels, packetBytes, timescale } = track;
	if (track.sizes.length === 0) throw new ConversionError({ kind: 'noAudio' });
	// What is played may be longer than the track, because an edit list can play parts twice.
	const ticks = Math.max(track.totalTicks, countPlayedTicks(track));
	// Before the index is written, which takes memory for each packet.
	checkDuration(ticks / timescale, packetBytes);
	const file = prepareM4a(track);
	return { format: 'M4A', samplingRate, channels, file };
}

/**
 * Extends a track whose packets last longer than the index of its MP4 file specifies, because a recorder may store arrival
 * times instead of durations. The last packet keeps its duration, which specifies how much of it is played (Encapsulation
 * of Opus in ISO BMFF).
 *
 * @param samplesBeforeLast measured duration of all packets but the last, at 48 kHz
 */
function extendToLastPacket(track: OpusTrack, samplesBeforeLast: number): OpusTrack {
	const { links, indexedSamplesBeforeLast } = track;
	const [link] = links;
	if (link === undefined || indexedSamplesBeforeLast === undefined) return track;
	const missing = Math.max(0, samplesBeforeLast - indexedSamplesBeforeLast);
	return { ...track, links: [{ ...link, playedSamples: link.playedSamples + missing }] };
}

/** Opens readers of a recording, and closes them. */
class ReaderPool {
	private isClosed = false;
	private readonly readers = new Set<ForwardReader>();

	constructor(
		private readonly startReading: () => Promise<Reading>,
		private readonly yieldToEventLoop: () => Promise<void>,
	) {}

	async open(): Promise<ForwardReader> {
		const reading = await this.startReading();
		if (this.isClosed) reading.close();
		const reader = new ForwardReader(reading, this.yieldToEventLoop);
		this.readers.add(reader);
		return reader;
	}

	/** Calls a function with a reader that is closed after it. */
	async withReader<Result>(use: (reader: ForwardReader) => Promise<Result>): Promise<Result> {
		const reader = await this.open();
		try {
			return await use(reader);
		} finally {
			this.close(reader);
		}
	}

	close(reader: ForwardReader): void {
		this.readers.delete(reader);
		reader.close();
	}

	closeAll(): void {
		this.isClosed = true;
		for (const reader of this.readers) this.close(reader);
	}
}

/**
 * Yields exactly as many bytes as the file has. The last chunk is withheld until the conversion has ended without an
 * error, because the service must not treat an upload as complete before.
 *
 * @throws {ConversionError} if the chunks have another length
 */
async function* yieldExactly(
	size: number,
	chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	let receivedBytes = 0;
	let withheld: Uint8Array | undefined;
	for await (const chunk of chunks) {
		receivedBytes += chunk.length;
		if (receivedBytes > size) break;
		if (withheld !== undefined) yield withheld;
		withheld = chunk;
	}
	if (receivedBytes !== size) throw new ConversionError({ kind: 'changed' });
	if (withheld !== undefined) yield withheld;
}

/**
 * Converts a recording with Opus to WAV, and one with AAC or ALAC to M4A, unless it is an M4A file already.
 *
 * @param startReading called now for readings that find the exact length, and for each call of `chunks`
 * @returns an {@link UnchangedFile} for an M4A file that can be sent as it is
 * @throws {ConversionError} for a recording that cannot be converted; otherwise what reading it throws
 */
export async function convertAudio(
	container: Container,
	startReading: () => Promise<Reading>,
	{ keepsBandwidth, yieldToEventLoop }: ConversionOptions,
): Promise<ConvertedAudio | UnchangedFile> {
	const readers = new ReaderPool(startReading, yieldToEventLoop);
	const scanned = await readers.withReader(
		async (reader) =>
			await scanners[container](reader, async (use) => await readers.withReader(use)),
	);
	if (scanned.kind === 'unchanged') return scanned;
	let track: AudioTrack = scanned;
	let wavRate = speechRate;
	const isOpus = scanned.kind === 'opus';
	if (isOpus && (keepsBandwidth || scanned.indexedSamplesBeforeLast !== undefined)) {
		// This is a reading of its own, because the index of an MP4 file, which has the offsets of packets, may be at the end.
		const { requiredRate, samplesBeforeLast } = await readers.withReader(
			async (reader) => await measurePackets(scanned.readPackets(reader)),
		);
		if (keepsBandwidth) wavRate = requiredRate;
		track = extendToLastPacket(scanned, samplesBeforeLast);
	}
	const { file, ...description } = prepareConversion(track, wavRate);

	async function* chunks(): AsyncGenerator<Uint8Array> {
		const reader = await readers.open();
		try {
			yield* yieldExactly(file.size, file.chunks(reader));
		} finally {
			readers.close(reader);
		}
	}

	return {
		kind: 'converted',
		...description,
		size: file.size,
		seconds: file.seconds,
		chunks,
		close: () => readers.closeAll(),
	};
}
