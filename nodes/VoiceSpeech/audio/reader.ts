import { UnexpectedError } from 'n8n-workflow';

import { allocateGarbage } from './garbage';
import type { OpenAudio, AudioSource } from './source';

/** Called while audio is read for the upload. */
export interface ReadProgress {
	/** Bytes were handed over. */
	moved(): void;
	/** All bytes were handed over. */
	uploaded(): void;
}

/** How audio is opened. */
export interface ReadOptions {
	/** In bytes: how much {@link AudioReader.head} shows. */
	headLength: number;
	/** Aborts the reading. */
	signal: AbortSignal;
	/** Bytes arrived from the source, before or during the upload. */
	onBytes(): void;
}

/** In bytes: small enough that a piece is sent well within the upload's stall timeout on a slow line. */
const pieceLength = 64 * 1024;

/**
 * Reads audio once, for one call: first its beginning, to recognise the format, and then all of it in order,
 * including the beginning, so that a file is loaded only once.
 */
export class AudioReader {
	/** Why it could not be read to its end. */
	fault: unknown;

	/** The bytes that were peeked at; free capacity may follow. Sent first. */
	private peeked: Uint8Array = new Uint8Array();

	/** In bytes: how much was read from the source so far. */
	private received = 0;

	/** Released at the end: it may hold the entire file, while the response is still to come. */
	private open: { source: OpenAudio; iterator: AsyncIterator<Uint8Array> } | undefined;

	/** In bytes; undefined if the source does not report it. */
	readonly size: OpenAudio['size'];

	readonly declared: OpenAudio['declared'];

	private constructor(
		source: OpenAudio,
		private readonly options: ReadOptions,
	) {
		this.open = { source, iterator: source.chunks[Symbol.asyncIterator]() };
		this.size = source.size;
		this.declared = source.declared;
	}

	/** Opens the audio and reads its first bytes. More than `headLength` are kept only if one chunk contains more. */
	static async open(source: AudioSource, options: ReadOptions): Promise<AudioReader> {
		const reader = new AudioReader(await source.open(options.signal), options);
		try {
			await reader.peek(options.headLength);
		} catch (error) {
			reader.close();
			return await Promise.reject(error);
		}
		return reader;
	}

	/** The first `headLength` bytes; fewer if the file is shorter. */
	get head(): Uint8Array {
		return this.peeked.subarray(0, Math.min(this.options.headLength, this.received));
	}

	/**
	 * Reads on up to this offset, and keeps the bytes for {@link bytes}. Must not be called after that.
	 *
	 * @param length in bytes, from the beginning
	 * @returns everything that was read so far: more than requested, or less if the file is shorter
	 */
	async peek(length: number): Promise<Uint8Array> {
		while (this.received < length) {
			const chunk = await this.next();
			if (chunk === undefined) break;
			this.keep(chunk);
		}
		return this.peeked.subarray(0, this.received);
	}

	/** Appends to the peeked bytes. The capacity doubles, so the bytes copied grow linearly with the bytes read. */
	private keep(chunk: Uint8Array): void {
		const offset = this.received - chunk.length;
		// Not copied: in n8n's database mode the first chunk is the entire file.
		if (offset === 0) {
			this.peeked = chunk;
			return;
		}
		if (this.received > this.peeked.length) {
			const grown = new Uint8Array(2 * this.received);
			grown.set(this.peeked.subarray(0, offset));
			this.peeked = grown;
		}
		this.peeked.set(chunk, offset);
	}

	/**
	 * All bytes, from the first, in pieces. Can be read once.
	 *
	 * @param progress called here, because another generator around this one would slow down each piece
	 */
	async *bytes(progress: ReadProgress): AsyncGenerator<Uint8Array> {
		let chunk: Uint8Array | undefined = this.peeked.subarray(0, this.received);
		this.peeked = new Uint8Array();
		for (; chunk !== undefined; chunk = await this.next()) {
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
				this.options.onBytes();
				allocateGarbage(next.value.length);
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
	 * Aborts an upload whose length differs from the reported size, which is its Content-Length: the service would get
	 * a part of it, or wait for more. A server that compresses unasked reports the compressed length, for example.
	 *
	 * @param length of the next chunk, in bytes; undefined at the end
	 */
	private count(length: number | undefined): void {
		this.received += length ?? 0;
		if (this.size === undefined) return;
		if (this.received > this.size || (length === undefined && this.received < this.size)) {
			throw new UnexpectedError(`The audio is not as long as reported (${this.size} bytes)`);
		}
	}

	/** Stops the reading; may be called again. */
	close(): void {
		this.open?.source.close();
		this.open = undefined;
	}
}
