import { ConversionError } from '../../errors/audioError';
import { maxConvertedSeconds, maxSecondsOfAnySize, minBytesPerSecond } from '../../limits';
import { ForwardReader, type ReadAgain, type Reading } from '../../streams/forwardReader';
import type { Container } from '../format';
import { scanFlac } from './flacFile';
import { scanIsobmff } from './isobmff/scanIsobmff';
import { prepareM4a } from './m4aFile';
import { scanMatroska } from './matroska/scanMatroska';
import { scanMp3 } from './mp3File';
import { scanAdts } from './scanAdts';
import { scanOgg } from './scanOgg';
import {
	type AudioTrack,
	computeSeconds,
	type ConvertedFile,
	type ConvertibleTrack,
	type DecodedRate,
	isConverted,
	type SampleFilter,
	type UnchangedFile,
} from './track';
import { prepareWav, scanWav } from './wavFile';

/** Opens readers of a recording, and closes them. */
export class ReaderPool {
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

type Scanner = (
	reader: ForwardReader,
	readAgain: ReadAgain,
	indexesM4a: boolean,
) => Promise<AudioTrack | UnchangedFile>;

const scanners: Record<Container, Scanner> = {
	ogg: scanOgg,
	matroska: scanMatroska,
	isobmff: scanIsobmff,
	adts: scanAdts,
	wav: scanWav,
	mp3: scanMp3,
	flac: scanFlac,
};

/**
 * Makes the first reading of a recording.
 *
 * @param indexesM4a whether an M4A file that is sent as it is is read to its end
 * @returns an {@link UnchangedFile} for an M4A file that is not read to its end, or cannot be
 * @throws {ConversionError} for a recording without audio that the node can read; otherwise what reading it throws
 */
export async function scanAudio(
	container: Container,
	readers: ReaderPool,
	indexesM4a: boolean,
): Promise<AudioTrack | UnchangedFile> {
	return await readers.withReader(
		async (reader) =>
			await scanners[container](reader, async (use) => await readers.withReader(use), indexesM4a),
	);
}

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
	chunks(isWanted?: SampleFilter): AsyncGenerator<Uint8Array>;
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
function prepareFile(track: ConvertibleTrack, wavRate: DecodedRate): ConvertedFile {
	// Before the index of an M4A file is written, which takes memory for each packet.
	rejectSuspiciousDuration(computeSeconds(track), track.packetBytes);
	return track.kind === 'opus' ? prepareWav(track, wavRate) : prepareM4a(track);
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
 * Prepares the conversion of a track.
 *
 * @returns undefined for a track whose file is sent as it is
 * @throws {ConversionError} for a recording that cannot be converted
 */
export function convertTrack(
	track: AudioTrack,
	readers: ReaderPool,
	wavRate: DecodedRate,
): ConvertedAudio | undefined {
	if (!isConverted(track)) return undefined;
	const file = prepareFile(track, wavRate);

	async function* chunks(isWanted?: SampleFilter): AsyncGenerator<Uint8Array> {
		const reader = await readers.open();
		try {
			yield* yieldExactly(file.size, file.chunks(reader, isWanted));
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

/**
 * Converts a recording with Opus to WAV, and one with AAC or ALAC to M4A, unless it is an M4A file already.
 *
 * @param startReading called now for readings that find the exact length, and for each call of `chunks`
 * @returns an {@link UnchangedFile} for a file that can be sent as it is
 * @throws {ConversionError} for a recording that cannot be converted; otherwise what reading it throws
 */
export async function convertAudio(
	container: Container,
	startReading: () => Promise<Reading>,
	{ wavRate, yieldToEventLoop }: ConversionOptions,
): Promise<ConvertedAudio | UnchangedFile> {
	const readers = new ReaderPool(startReading, yieldToEventLoop);
	const track = await scanAudio(container, readers, false);
	if (track.kind === 'unchanged') return track;
	return convertTrack(track, readers, wavRate) ?? { kind: 'unchanged' };
}
