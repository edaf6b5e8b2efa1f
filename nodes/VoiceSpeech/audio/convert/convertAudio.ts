import { maxConvertedSeconds, maxSecondsOfAnySize, minBytesPerSecond } from '../../limits';
import { ConversionError } from '../conversionError';
import type { Container } from '../format';
import { ForwardReader, type ReadAgain, type Reading } from '../../streams/forwardReader';
import { scanIsobmff } from './isobmff/scanIsobmff';
import { prepareM4a } from './m4aFile';
import { scanMatroska } from './matroska/scanMatroska';
import { scanAdts } from './scanAdts';
import { scanOgg } from './scanOgg';
import {
	computeSeconds,
	type AudioTrack,
	type DecodedRate,
	type UnchangedFile,
	type ConvertedFile,
} from './track';
import { prepareWav } from './wavFile';

type Scanner = (reader: ForwardReader, readAgain: ReadAgain) => Promise<AudioTrack | UnchangedFile>;

const scanners: Record<Container, Scanner> = {
	ogg: scanOgg,
	matroska: scanMatroska,
	isobmff: scanIsobmff,
	adts: scanAdts,
};

export interface ConversionOptions {
	/** Of a decoded recording. */
	wavRate: DecodedRate;
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
function rejectSuspiciousDuration(seconds: number, packetBytes: number): void {
	if (seconds > maxConvertedSeconds) throw new ConversionError({ kind: 'tooLong' });
	if (seconds > maxSecondsOfAnySize && packetBytes < seconds * minBytesPerSecond) {
		throw new ConversionError({ kind: 'tooFewBytes' });
	}
}

/** @throws {ConversionError} if the track plays nothing, is too long, or has suspiciously few bytes */
function prepareFile(track: AudioTrack, wavRate: DecodedRate): ConvertedFile {
	// Before the index of an M4A file is written, which takes memory for each packet.
	rejectSuspiciousDuration(computeSeconds(track), track.packetBytes);
	return track.kind === 'opus' ? prepareWav(track, wavRate) : prepareM4a(track);
}

/** Opens readers of a recording, and closes them. */
class ReaderPool {
	private isClosed = false;
	private readonly readings = new Map<ForwardReader, Reading>();

	constructor(
		private readonly startReading: () => Promise<Reading>,
		private readonly yieldToEventLoop: () => Promise<void>,
	) {}

	async open(): Promise<ForwardReader> {
		const reading = await this.startReading();
		if (this.isClosed) reading.close();
		// Only the reading is closed, and not the reader, which would then find an end that the recording does not have.
		const source = { chunks: reading.chunks, close() {} };
		const reader = new ForwardReader(source, { yieldToEventLoop: this.yieldToEventLoop });
		this.readings.set(reader, reading);
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
		this.readings.get(reader)?.close();
		this.readings.delete(reader);
	}

	closeAll(): void {
		this.isClosed = true;
		for (const reader of this.readings.keys()) this.close(reader);
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
	{ wavRate, yieldToEventLoop }: ConversionOptions,
): Promise<ConvertedAudio | UnchangedFile> {
	const readers = new ReaderPool(startReading, yieldToEventLoop);
	const track = await readers.withReader(
		async (reader) =>
			await scanners[container](reader, async (use) => await readers.withReader(use)),
	);
	if (track.kind === 'unchanged') return track;
	const file = prepareFile(track, wavRate);

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
		format: track.kind === 'opus' ? 'WAV' : 'M4A',
		size: file.size,
		chunks,
		close: () => readers.closeAll(),
	};
}
