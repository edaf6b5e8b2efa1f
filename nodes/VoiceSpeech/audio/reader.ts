import { UnexpectedError } from 'n8n-workflow';

import { paceCollector } from './collector';
import type { ByteSource, Recording } from './recording';

/** What is told while a recording is read to be sent. */
export interface ReadProgress {
	/** Bytes were handed over. */
	moved(): void;
	/** Everything of the recording was handed over. */
	uploaded(): void;
}

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

	/** Let go of at the end: it may hold the whole file, while the answer is still to come. */
	private open: { source: ByteSource; iterator: AsyncIterator<Uint8Array> } | undefined;

	/** Bytes read so far. */
	private counted = 0;

	/** In bytes; undefined where the other side does not tell. */
	readonly size: ByteSource['size'];

	readonly announced: ByteSource['announced'];

	private constructor(
		source: ByteSource,
		private readonly headLength: number,
	) {
		this.open = { source, iterator: source.chunks[Symbol.asyncIterator]() };
		this.size = source.size;
		this.announced = source.announced;
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

	/**
	 * Reads on as far as asked, and keeps it for {@link bytes}.
	 *
	 * @param length in bytes, from the beginning
	 * @returns all that was read so far: more than asked for, or less where the recording is shorter
	 */
	async peek(length: number): Promise<Uint8Array> {
		let read = this.early.reduce((sum, chunk) => sum + chunk.length, 0);
		while (read < length) {
			const chunk = await this.next();
			if (chunk === undefined) break;
			this.early.push(chunk);
			read += chunk.length;
		}
		if (this.early.length > 1) this.early = [Buffer.concat(this.early)];
		return this.early[0] ?? new Uint8Array();
	}

	/**
	 * All bytes, from the first, in pieces of which each is soon sent. Can be read once.
	 *
	 * @param progress told here, as every generator more costs each piece its time
	 */
	async *bytes(progress: ReadProgress): AsyncGenerator<Uint8Array> {
		for (;;) {
			const chunk = this.early.shift() ?? (await this.next());
			if (chunk === undefined) break;
			// In database mode a whole file is one chunk: in one piece, nobody could see it move.
			for (let start = 0; start < chunk.length; start += pieceLength) {
				progress.moved();
				yield chunk.subarray(start, start + pieceLength);
			}
		}
		progress.uploaded();
	}

	private async next(): Promise<Uint8Array | undefined> {
		if (this.open === undefined) return undefined;
		try {
			const next = await this.open.iterator.next();
			this.count(next.done === true ? undefined : next.value.length);
			if (next.done !== true) {
				paceCollector(this.open.source.copies * next.value.length);
				return next.value;
			}
		} catch (error) {
			this.fault = error;
			return await Promise.reject(error);
		}
		this.close();
		return undefined;
	}

	/**
	 * Ends an upload that would not be as long as announced: the service would get less than there is, or wait for
	 * more. A server that compresses without being asked announces the compressed length, for example.
	 *
	 * @param length of the next chunk; undefined at the end
	 */
	private count(length: number | undefined): void {
		this.counted += length ?? 0;
		if (this.size === undefined) return;
		if (this.counted > this.size || (length === undefined && this.counted < this.size)) {
			throw new UnexpectedError(`Its length was told as ${this.size} bytes, which it is not`);
		}
	}

	/** Ends the reading wherever it is; harmless after the end. */
	close(): void {
		this.open?.source.close();
		this.open = undefined;
	}
}
