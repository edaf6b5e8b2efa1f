import { ConversionError } from '../errors/audioError';
import type { Reading } from '../streams/forwardReader';
import type { AudioReader } from './reader';

/** Distance of the checkpoints, in bytes. A recording that is not kept entirely has dozens of them. */
const checkpointDistance = 16 * 1024;

/**
 * The checkpoints in a chunk, which are the bytes at each multiple of {@link checkpointDistance} in the recording.
 *
 * @param position of the chunk in the recording
 */
function* listCheckpoints(
	chunk: Uint8Array,
	position: number,
): Generator<{ index: number; byte: number }> {
	let index = Math.ceil(position / checkpointDistance);
	while (index * checkpointDistance < position + chunk.length) {
		yield { index, byte: chunk[index * checkpointDistance - position]! };
		index++;
	}
}

/** Passes on the chunks without their first bytes. */
async function* skipBytes(
	chunks: AsyncIterable<Uint8Array>,
	length: number,
): AsyncGenerator<Uint8Array> {
	let missing = length;
	for await (const chunk of chunks) {
		const skipped = Math.min(missing, chunk.length);
		missing -= skipped;
		if (skipped < chunk.length) yield chunk.subarray(skipped);
	}
}

function createChangedError(): ConversionError {
	return new ConversionError({ kind: 'changed' });
}

/**
 * A recording that can be read several times, because a conversion must know the length of its result before it starts.
 * The first reading keeps what it reads, up to a limit. As long as it has kept everything, a later reading repeats what is
 * kept, and then continues the first reading if it needs more. Otherwise the recording is opened again.
 */
export class RepeatableAudio {
	private kept: Uint8Array[] = [];
	private keptBytes = 0;
	private keepsAll = true;
	private hasStarted = false;
	/** Checkpoints of the first reading. Another recording may have the same length. */
	private readonly checkpoints: number[] = [];
	private readonly first: AsyncGenerator<Uint8Array>;
	private reopened: AudioReader | undefined;
	private isClosed = false;
	/** In bytes; undefined until it is known. */
	private size: number | undefined;

	/**
	 * @param reader of the first reading; its first bytes may have been peeked at
	 * @param reopen opens the recording again
	 * @param maxKeptBytes how much of the first reading is kept, in bytes
	 */
	constructor(
		private readonly reader: AudioReader,
		private readonly reopen: () => Promise<AudioReader>,
		private readonly maxKeptBytes: number,
	) {
		this.first = reader.readPieces();
		this.size = reader.size;
	}

	/**
	 * Starts a reading, after the one before has ended. Closing the first one, or one that repeats it, keeps the recording
	 * open, because the next may continue it.
	 *
	 * @param offset where the reading starts, in bytes
	 * @throws {ConversionError} if the recording has another length when it is opened again; otherwise what `reopen` throws
	 */
	async startReading(offset = 0): Promise<Reading> {
		const { chunks, close } = await this.startAtBeginning();
		return { chunks: offset === 0 ? chunks : skipBytes(chunks, offset), close };
	}

	private async startAtBeginning(): Promise<Reading> {
		const close = () => {};
		if (!this.hasStarted) {
			this.hasStarted = true;
			return { chunks: this.readAndKeep(), close };
		}
		if (this.keepsAll) return { chunks: this.repeatKept(), close };
		return await this.startAgain();
	}

	/** @throws {ConversionError} if the recording has another length now; otherwise what `reopen` throws */
	private async startAgain(): Promise<Reading> {
		this.reader.close();
		this.reopened?.close();
		const reader = await this.reopen();
		this.reopened = reader;
		const close = () => reader.close();
		if (this.isClosed) close();
		if (reader.size !== this.reader.size) throw createChangedError();
		return { chunks: this.compare(reader.readPieces()), close };
	}

	/** Length in bytes. Reads the recording if the source does not report it, and no reading has come to its end. */
	async findSize(): Promise<number> {
		if (this.size !== undefined) return this.size;
		const { chunks } = await this.startReading();
		let size = 0;
		for await (const chunk of chunks) size += chunk.length;
		return size;
	}

	close(): void {
		this.isClosed = true;
		this.kept = [];
		this.reader.close();
		this.reopened?.close();
	}

	private async *readAndKeep(): AsyncGenerator<Uint8Array> {
		let position = 0;
		for (;;) {
			const next = await this.first.next();
			if (next.done === true) {
				this.size = position;
				return;
			}
			const chunk = next.value;
			for (const { index, byte } of listCheckpoints(chunk, position)) {
				this.checkpoints[index] = byte;
			}
			position += chunk.length;
			this.keep(chunk);
			yield chunk;
		}
	}

	private keep(chunk: Uint8Array): void {
		if (!this.keepsAll) return;
		this.keptBytes += chunk.length;
		if (this.keptBytes <= this.maxKeptBytes) {
			this.kept.push(chunk);
		} else {
			this.keepNothing();
		}
	}

	private keepNothing(): void {
		this.keepsAll = false;
		this.kept = [];
	}

	private async *repeatKept(): AsyncGenerator<Uint8Array> {
		yield* this.kept;
		for await (const chunk of this.first) {
			// This chunk is not kept, so the next reading must open the recording again.
			this.keepNothing();
			yield chunk;
		}
	}

	/**
	 * Passes on the chunks of a later reading.
	 *
	 * @throws {ConversionError} where it differs from the first reading
	 */
	private async *compare(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
		let position = 0;
		for await (const chunk of chunks) {
			for (const { index, byte } of listCheckpoints(chunk, position)) {
				if (byte !== (this.checkpoints[index] ?? byte)) throw createChangedError();
			}
			position += chunk.length;
			yield chunk;
		}
	}
}
