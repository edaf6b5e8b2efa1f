import type { Container } from '../format';
import { ForwardReader, type ReadAgain, type Reading } from '../../streams/forwardReader';
import { scanIsobmff } from './isobmff/scanIsobmff';
import { scanMatroska } from './matroska/scanMatroska';
import { scanAdts } from './scanAdts';
import { scanFlac } from './scanFlac';
import { scanMp3 } from './scanMp3';
import { scanOgg } from './scanOgg';
import { scanWav } from './scanWav';
import type { AudioTrack, UnchangedFile } from './track';

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
