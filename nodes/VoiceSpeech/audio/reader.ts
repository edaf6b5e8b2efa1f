import type { ByteSource, Recording } from './recording';

/**
 * Reads a recording once, for one call: the first bytes early, to know what it is, and then all of it in order,
 * the first bytes included, so that looking at them costs no second load.
 */
export class RecordingReader {
	/** Why it could not be read to its end. */
	fault: unknown;

	private constructor(
		private readonly source: ByteSource,
		private readonly iterator: AsyncIterator<Uint8Array>,
		private readonly early: Uint8Array[],
		/** The first bytes, fewer than asked for where the recording is shorter. */
		readonly head: Uint8Array,
	) {}

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
		const source = await recording.open(signal);
		const iterator = source.chunks[Symbol.asyncIterator]();
		const early: Uint8Array[] = [];
		let length = 0;
		try {
			while (length < headLength) {
				const next = await iterator.next();
				if (next.done === true) break;
				early.push(next.value);
				length += next.value.length;
			}
		} catch (error) {
			source.close();
			return await Promise.reject(error);
		}
		const head = early.length === 1 && early[0] ? early[0] : Buffer.concat(early);
		return new RecordingReader(source, iterator, early, head.subarray(0, headLength));
	}

	/** In bytes; undefined where the other side does not tell. */
	get size(): number | undefined {
		return this.source.size;
	}

	get announced(): ByteSource['announced'] {
		return this.source.announced;
	}

	/** All bytes, from the first. Can be read once. */
	async *bytes(): AsyncGenerator<Uint8Array> {
		for (let chunk = this.early.shift(); chunk !== undefined; chunk = this.early.shift())
			yield chunk;
		try {
			for (;;) {
				const next = await this.iterator.next();
				if (next.done === true) return;
				yield next.value;
			}
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
