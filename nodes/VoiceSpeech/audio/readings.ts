import type { ByteReader } from '../byteReader';
import type { Reading } from './convert/forwardReader';

/**
 * Reads a recording twice, because a conversion must know the length of its result before it starts. The first reading
 * keeps what it reads, up to a limit. If that is everything it read, the second reading repeats it and continues the
 * first; otherwise the recording is opened again.
 */
export class Readings {
	private kept: Uint8Array[] = [];
	private keptBytes = 0;
	private keepsAll = true;
	private hasStarted = false;
	private readonly first: AsyncGenerator<Uint8Array>;
	private reopened: ByteReader | undefined;
	private isClosed = false;

	/**
	 * @param reader of the first reading; its first bytes may have been peeked at
	 * @param reopen opens the recording again
	 * @param maxKeptBytes how much of the first reading is kept, in bytes
	 */
	constructor(
		private readonly reader: ByteReader,
		private readonly reopen: () => Promise<ByteReader>,
		private readonly maxKeptBytes: number,
	) {
		this.first = reader.readPieces();
	}

	/**
	 * Starts the first reading, then the second. Closing the first keeps the recording open, because the second may continue
	 * it. Rejects if the recording cannot be opened again, or has another length.
	 */
	async start(): Promise<Reading> {
		if (this.hasStarted) return await this.startSecond();
		this.hasStarted = true;
		return { chunks: this.readAndKeep(), close: () => {} };
	}

	private async startSecond(): Promise<Reading> {
		const close = () => this.close();
		if (this.keepsAll) return { chunks: this.repeatKept(), close };
		this.kept = [];
		this.reader.close();
		const second = await this.reopen();
		this.reopened = second;
		if (this.isClosed) second.close();
		if (second.size !== this.reader.size) throw new Error('it changed between two readings');
		return { chunks: second.readPieces(), close };
	}

	close(): void {
		this.isClosed = true;
		this.reader.close();
		this.reopened?.close();
	}

	private async *readAndKeep(): AsyncGenerator<Uint8Array> {
		for (;;) {
			const next = await this.first.next();
			if (next.done === true) return;
			this.keep(next.value);
			yield next.value;
		}
	}

	private keep(chunk: Uint8Array): void {
		if (!this.keepsAll) return;
		this.keptBytes += chunk.length;
		this.keepsAll = this.keptBytes <= this.maxKeptBytes;
		if (this.keepsAll) {
			this.kept.push(chunk);
		} else {
			this.kept = [];
		}
	}

	private async *repeatKept(): AsyncGenerator<Uint8Array> {
		let chunk = this.kept.shift();
		while (chunk !== undefined) {
			yield chunk;
			chunk = this.kept.shift();
		}
		yield* this.first;
	}
}
