import { ForwardReader, type Reading } from '../../streams/forwardReader';

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
