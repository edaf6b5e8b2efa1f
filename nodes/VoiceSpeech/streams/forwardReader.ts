import type { IDataObject } from 'n8n-workflow';

import { rethrow } from '../errors/bases';
import { pieceBytes } from '../limits';

/** Bytes of garbage to allocate per byte of external memory, so that V8 collects its young objects in time. */
const garbagePerByte = 3;

const zeros = Buffer.alloc(64 * 1024);

/**
 * Allocates short-lived strings so that V8 frees a stream's chunks during the transfer. The chunks are external memory:
 * they add almost nothing to V8's young generation, so V8 frees them only by marking n8n's entire heap, after every
 * 64 MB. Young collections free them earlier and cost less: dev/bench/README.md has the processor time with and without.
 * It can go when `npm run bench` shows no difference without it on the oldest supported Node.
 *
 * @param bytes of external memory that passes
 */
export function allocateGarbage(bytes: number): void {
	let left = garbagePerByte * bytes;
	while (left > 0) {
		zeros.toString('latin1', 0, left);
		left -= zeros.length;
	}
}

/** A stream of Node, of any class. */
export interface NodeStream extends AsyncIterable<Uint8Array> {
	once(event: 'error', listener: () => void): unknown;
	destroy(): void;
}

/** A response with any status. Its body is not read yet. */
export interface HttpResponse {
	statusCode: number;
	/** Header names are in lower case. */
	headers: IDataObject;
	body: NodeStream;
}

/** A class of Node's streams. */
interface StreamClass {
	from(chunks: AsyncIterable<Uint8Array>, options: object): NodeJS.ReadableStream;
}

/** One reading of a recording or of a response, from its start. */
export interface Reading {
	chunks: AsyncIterable<Uint8Array>;
	/** Stops the reading and closes what was opened; may be called again. A read in progress may never settle. */
	close(): void;
}

/** What else a reader calls while it reads. */
interface ReaderCallbacks {
	/** Called before the reader waits for bytes. */
	beforeRead?(): void;
	/** Lets the process do other work. Called regularly, because awaiting bytes that are there already does not. */
	yieldToEventLoop?(): Promise<void>;
}

/** Calls a function with another reader, which is at the start of the recording. The reader before it must not be used. */
export type ReadAgain = <Result>(
	use: (reader: ForwardReader) => Promise<Result>,
) => Promise<Result>;

const nothing = Buffer.alloc(0);

/** How many bytes are searched at a time. */
const searchedBytes = 4096;

/** Reads bytes once, from the first to the last, in the lengths that a format asks for. */
export class ForwardReader {
	/** Offset of the next byte. */
	position = 0;

	/** Why the source could not be read to its end. The bytes received before can be read. */
	fault: unknown;

	/** Number of bytes that were read from the source. */
	receivedBytes = 0;

	readonly yieldToEventLoop: () => Promise<void>;

	private readonly beforeRead: () => void;

	/** The class of the source, if it is a stream of Node. */
	private readonly streamClass: StreamClass | undefined;

	/** Bytes that were received, but not read. */
	private unread: Buffer = nothing;

	/** Free capacity after the unread bytes, in bytes. */
	private free = 0;

	/** Undefined once it is read or closed, because it may hold the entire file while the response is still to come. */
	private input: { source: Reading; iterator: AsyncIterator<Uint8Array> } | undefined;

	constructor(
		source: Reading,
		{ beforeRead = () => {}, yieldToEventLoop = async () => {} }: ReaderCallbacks,
	) {
		this.input = { source, iterator: source.chunks[Symbol.asyncIterator]() };
		this.beforeRead = beforeRead;
		const { constructor } = source.chunks as { constructor?: Partial<StreamClass> };
		this.streamClass = constructor?.from === undefined ? undefined : (constructor as StreamClass);
		this.yieldToEventLoop = yieldToEventLoop;
	}

	/**
	 * Creates a stream for n8n's binary storage. A verified node cannot import the stream module, but every class of streams
	 * has `from`.
	 *
	 * @returns undefined if the source is not a stream, but a file in memory
	 */
	createStream(chunks: AsyncIterable<Uint8Array>): NodeJS.ReadableStream | undefined {
		return this.streamClass?.from(chunks, { objectMode: false });
	}

	/** All bytes that were received, but not read. */
	get buffered(): Buffer {
		return this.unread;
	}

	/**
	 * The next bytes, which stay unread; fewer than `length` only at the end.
	 *
	 * @throws the {@link fault}
	 */
	async peek(length: number): Promise<Buffer> {
		const received = this.peekReceived(length);
		if (received !== undefined) return received;
		await this.yieldToEventLoop();
		while (this.unread.length < length) {
			if (!(await this.receive())) break;
		}
		return this.unread.subarray(0, length);
	}

	/**
	 * Does what {@link peek} does without waiting, which is many times faster for a file with millions of small parts.
	 *
	 * @returns undefined if fewer bytes were received
	 */
	peekReceived(length: number): Buffer | undefined {
		return length > this.unread.length ? undefined : this.unread.subarray(0, length);
	}

	/**
	 * Skips to an offset, and returns the bytes from there, which stay unread; fewer than `length` only at the end.
	 *
	 * @param offset in bytes, not before {@link position}
	 * @throws the {@link fault}
	 */
	async peekAt(offset: number, length: number): Promise<Buffer> {
		const distance = offset - this.position;
		if (!this.skipReceived(distance)) await this.skip(distance);
		return this.peekReceived(length) ?? (await this.peek(length));
	}

	/**
	 * The next bytes in a buffer of their own; fewer than `length` only at the end.
	 *
	 * @throws the {@link fault}
	 */
	async read(length: number): Promise<Buffer> {
		await this.yieldToEventLoop();
		const parts: Uint8Array[] = [];
		let missing = length;
		while (missing > 0 && (await this.hasNext())) {
			const part = this.unread.subarray(0, missing);
			this.advance(part.length);
			parts.push(part);
			missing -= part.length;
		}
		return Buffer.concat(parts);
	}

	/**
	 * Does what {@link skip} does without waiting.
	 *
	 * @returns false if fewer bytes were received; then none is skipped
	 */
	skipReceived(length: number): boolean {
		if (length > this.unread.length) return false;
		this.advance(length);
		return true;
	}

	/**
	 * @param length in bytes; Infinity skips the rest
	 * @returns the number of bytes that were skipped, which are fewer than `length` only at the end
	 * @throws the {@link fault}
	 */
	async skip(length: number): Promise<number> {
		await this.yieldToEventLoop();
		const start = this.position;
		let missing = length;
		while (missing > 0 && (await this.hasNext())) {
			const skipped = Math.min(missing, this.unread.length);
			this.advance(skipped);
			missing -= skipped;
		}
		return this.position - start;
	}

	/**
	 * Skips to the next occurrence of a pattern, e.g. over a damaged part.
	 *
	 * @returns false if there is none; then fewer bytes than the pattern has are left
	 * @throws the {@link fault}
	 */
	async skipTo(pattern: Buffer): Promise<boolean> {
		for (;;) {
			const bytes = await this.peek(searchedBytes);
			const start = bytes.indexOf(pattern);
			if (start !== -1) {
				await this.skip(start);
				return true;
			}
			if (bytes.length < pattern.length) return false;
			// The last bytes may be the start of the pattern.
			await this.skip(bytes.length - pattern.length + 1);
		}
	}

	/**
	 * Reads all bytes that are not read yet. Can be called once.
	 *
	 * @param onPiece called before each piece; a second generator around this one would be slower
	 * @param onEnd called after the last piece
	 * @throws the {@link fault}, after the bytes that were received before it
	 */
	async *readPieces(onPiece = () => {}, onEnd = () => {}): AsyncGenerator<Uint8Array> {
		while (await this.hasNext()) {
			const chunk = this.unread;
			this.advance(chunk.length);
			for (let start = 0; start < chunk.length; start += pieceBytes) {
				onPiece();
				const piece = chunk.subarray(start, start + pieceBytes);
				allocateGarbage(piece.length);
				yield piece;
			}
		}
		onEnd();
	}

	/** Stops the reading; may be called again. */
	close(): void {
		this.input?.source.close();
		this.input = undefined;
	}

	/**
	 * Called after each read of the source, with the number of bytes so far.
	 *
	 * @throws if the source is not as long as reported
	 */
	protected compareLength?(receivedBytes: number, isAtEnd: boolean): void;

	private advance(length: number): void {
		// An empty part would keep its chunk in memory, which may be the entire file.
		this.unread = length < this.unread.length ? this.unread.subarray(length) : nothing;
		this.position += length;
	}

	/** Waits for the next byte if there is none. Returns false at the end. */
	private async hasNext(): Promise<boolean> {
		while (this.unread.length === 0) {
			if (!(await this.receive())) return false;
		}
		return true;
	}

	/**
	 * Appends the next chunk of the source to the unread bytes. Returns false at the end.
	 *
	 * @throws the {@link fault}
	 */
	private async receive(): Promise<boolean> {
		if (this.fault !== undefined) throw this.fault;
		if (this.input === undefined) return false;
		this.beforeRead();
		try {
			const next = await this.input.iterator.next();
			const isAtEnd = next.done === true;
			const receivedBytes = this.receivedBytes + (isAtEnd ? 0 : next.value.length);
			this.compareLength?.(receivedBytes, isAtEnd);
			this.receivedBytes = receivedBytes;
			if (isAtEnd) {
				this.close();
				return false;
			}
			this.append(next.value);
			return true;
		} catch (error) {
			this.fault = error;
			this.close();
			return rethrow(error);
		}
	}

	/** Appends to the unread bytes. The capacity doubles, so the bytes copied grow linearly with the bytes received. */
	private append({ buffer, byteOffset, length }: Uint8Array): void {
		const chunk = Buffer.from(buffer, byteOffset, length);
		const unreadLength = this.unread.length;
		// The chunk is not copied, because in n8n's database mode the first chunk is the entire file.
		if (unreadLength === 0) {
			this.unread = chunk;
			this.free = 0;
			return;
		}
		if (length > this.free) {
			const grown = Buffer.allocUnsafe(Math.max(unreadLength + length, 2 * unreadLength));
			grown.set(this.unread);
			this.unread = grown.subarray(0, unreadLength);
			this.free = grown.length - unreadLength;
		}
		const { unread } = this;
		this.unread = Buffer.from(unread.buffer, unread.byteOffset, unreadLength + length);
		this.unread.set(chunk, unreadLength);
		this.free -= length;
	}
}
