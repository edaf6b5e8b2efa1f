import { ConversionError } from '../../errors/audioError';
import type { Container } from '../format';
import { maxConvertedSeconds, maxSecondsOfAnySize, minBytesPerSecond } from '../../limits';
import type { Reading } from '../../streams/forwardReader';
import { prepareM4a } from './m4aFile';
import { ReaderPool, scanAudio } from './scanAudio';
import {
	computeSeconds,
	isConverted,
	type AudioTrack,
	type ConvertibleTrack,
	type SampleFilter,
	type DecodedRate,
	type UnchangedFile,
	type ConvertedFile,
} from './track';
import { prepareWav } from './wavFile';

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
