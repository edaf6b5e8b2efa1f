import type { ByteSource, Recording } from './recording';

/** In bytes. */
const pieceLength = 64 * 1024;

/**
 * Reads a recording once, for one call: the first bytes early, to know what it is, and then all of it in order,
 * the first bytes included, so that looking at them costs no second load.
 */
export class RecordingReader {
	/** Why it could not be read to its end. */
	fault: unknown;

	/** What was read early, and still is to be sent. */
	private early: Uint8Array[] = [];

	private readonly iterator: AsyncIterator<Uint8Array>;

	private constructor(
		private readonly source: ByteSource,
		private readonly headLength: number,
	) {
		this.iterator = source.chunks[Symbol.asyncIterator]();
	}

	/**
	 * Opens the recording and reads its first bytes.
	 *
	 * @param headLength how many bytes to look at; more are held only where one chunk brings more
	 * @param signal ends the reading
	 */
	static async open(
		recording: Recording,
		headLength: number,
		signal: AbortSignal,
	): Promise<RecordingReader> {
		const reader = new RecordingReader(await recording.open(signal), headLength);
		try {
			await reader.peek(headLength);
		} catch (error) {
			reader.close();
			return await Promise.reject(error);
		}
		return reader;
	}

	/** The first bytes, fewer than asked for where the recording is shorter. */
	get head(): Uint8Array {
		return (this.early[0] ?? new Uint8Array()).subarray(0, this.headLength);
	}

	/** In bytes; undefined where the other side does not tell. */
	get size(): number | undefined {
		return this.source.size;
	}

	get announced(): ByteSource['announced'] {
		return this.source.announced;
	}

	/**
	 * Reads on as far as asked, and keeps it for {@link bytes}.
	 *
	 * @param length in bytes, from the beginning
	 * @returns all that was read so far: more than asked for, or less where the recording is shorter
	 */
	async peek(length: number): Promise<Uint8Array> {
		let read = this.early.reduce((sum, chunk) => sum + chunk.length, 0);
		while (read < length) {
			const next = await this.iterator.next();
			if (next.done === true) break;
			this.early.push(next.value);
			read += next.value.length;
		}
		if (this.early.length > 1) this.early = [Buffer.concat(this.early)];
		return this.early[0] ?? new Uint8Array();
	}

	/** All bytes, from the first, in pieces of which each is soon sent. Can be read once. */
	async *bytes(): AsyncGenerator<Uint8Array> {
		for (;;) {
			const chunk = this.early.shift() ?? (await this.nextChunk());
			if (chunk === undefined) return;
			// In database mode a whole file is one chunk: in one piece, nobody could see it move.
			for (let start = 0; start < chunk.length; start += pieceLength) {
				yield chunk.subarray(start, start + pieceLength);
			}
		}
	}

	private async nextChunk(): Promise<Uint8Array | undefined> {
		try {
			const next = await this.iterator.next();
			return next.done === true ? undefined : next.value;
		} catch (error) {
			this.fault = error;
			return await Promise.reject(error);
		}
	}

	/** Ends the reading wherever it is; harmless after the end. */
	close(): void {
		this.source.close();
	}
}
