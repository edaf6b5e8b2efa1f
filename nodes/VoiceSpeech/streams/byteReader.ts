import { rethrow } from '../errors/bases';
import { pieceBytes } from '../limits';
import { allocateGarbage } from './garbage';

/** A stream of Node, of any class. */
export interface NodeStream extends AsyncIterable<Uint8Array> {
	once(event: 'error', listener: () => void): unknown;
	destroy(): void;
}

/** A stream of audio or of a response that is being read. */
export interface OpenBytes {
	/** In bytes; undefined if the source does not report it. */
	size: number | undefined;
	chunks: AsyncIterable<Uint8Array>;
	/** Stops the reading and closes what was opened; may be called again. */
	close(): void;
}

/** Reads a stream once. Its beginning can be peeked at before, to find its format. */
export class ByteReader {
	/** Why the stream could not be read to its end. The bytes received before can be read. */
	fault: unknown;

	/** Number of bytes that were read from the source. */
	receivedBytes = 0;

	/** The bytes that were peeked at; free capacity may follow. */
	private peeked: Buffer = Buffer.alloc(0);

	/** Undefined once it is read or closed, because it may hold the entire file while the response is still to come. */
	private input: { source: OpenBytes; iterator: AsyncIterator<Uint8Array> } | undefined;

	readonly size: OpenBytes['size'];

	/** @param beforeRead called before the reader waits for bytes */
	constructor(
		source: OpenBytes,
		private readonly beforeRead: () => void,
	) {
		this.input = { source, iterator: source.chunks[Symbol.asyncIterator]() };
		this.size = source.size;
	}

	/** Everything that was read so far, until {@link readPieces} takes it. */
	get buffered(): Buffer {
		return this.peeked.subarray(0, this.receivedBytes);
	}

	/**
	 * Reads on up to this offset, and keeps the bytes for {@link readPieces}. Must not be called after it.
	 *
	 * @param length in bytes, from the beginning
	 * @returns everything that was read so far, which may be more than requested, or less if the stream is shorter
	 * @throws the {@link fault}
	 */
	async peek(length: number): Promise<Buffer> {
		while (this.receivedBytes < length) {
			const chunk = await this.readChunk();
			if (chunk === undefined) break;
			this.keep(chunk);
		}
		return this.buffered;
	}

	/** Appends to the peeked bytes. The capacity doubles, so the bytes copied grow linearly with the bytes read. */
	private keep(chunk: Uint8Array): void {
		const offset = this.receivedBytes - chunk.length;
		// The chunk is not copied, because in n8n's database mode the first chunk is the entire file.
		if (offset === 0) {
			this.peeked = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
			return;
		}
		if (this.receivedBytes > this.peeked.length) {
			const grown = Buffer.alloc(2 * this.receivedBytes);
			grown.set(this.peeked.subarray(0, offset));
			this.peeked = grown;
		}
		this.peeked.set(chunk, offset);
	}

	/**
	 * Reads all bytes, from the first. Can be called once.
	 *
	 * @param onPiece called before each piece; a second generator around this one would be slower
	 * @param onEnd called after the last piece
	 * @throws the {@link fault}, after the bytes that were received before it
	 */
	async *readPieces(onPiece = () => {}, onEnd = () => {}): AsyncGenerator<Uint8Array> {
		let chunk: Uint8Array | undefined = this.buffered;
		this.peeked = Buffer.alloc(0);
		while (chunk !== undefined) {
			for (let start = 0; start < chunk.length; start += pieceBytes) {
				onPiece();
				const piece = chunk.subarray(start, start + pieceBytes);
				allocateGarbage(piece.length);
				yield piece;
			}
			chunk = await this.readChunk();
		}
		onEnd();
	}

	/**
	 * Reads the next chunk of the source.
	 *
	 * @returns undefined at the end
	 * @throws the {@link fault}
	 */
	private async readChunk(): Promise<Uint8Array | undefined> {
		if (this.fault !== undefined) throw this.fault;
		if (this.input === undefined) return undefined;
		this.beforeRead();
		try {
			const next = await this.input.iterator.next();
			const chunk = next.done === true ? undefined : next.value;
			const receivedBytes = this.receivedBytes + (chunk?.length ?? 0);
			this.checkLength?.(receivedBytes, chunk === undefined);
			this.receivedBytes = receivedBytes;
			if (chunk === undefined) this.close();
			return chunk;
		} catch (error) {
			this.fault = error;
			this.close();
			return rethrow(error);
		}
	}

	/**
	 * Called after each read of the source, with the number of bytes so far.
	 *
	 * @throws if the stream is not as long as reported
	 */
	protected checkLength?(receivedBytes: number, isAtEnd: boolean): void;

	/** Stops the reading; may be called again. */
	close(): void {
		this.input?.source.close();
		this.input = undefined;
	}
}
