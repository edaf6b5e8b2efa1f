import { UnexpectedError } from 'n8n-workflow';

import { headLength, maxProbeBytes, maxProbeReads, uploadPieceBytes } from '../limits';
import { allocateGarbage } from './garbage';

/** Audio that can be sent, before anything of it is read. */
export interface AudioSource {
	/** What identifies this audio: two sources with equal lists have the same bytes. */
	identity: unknown[];
	/** Starts reading until the signal aborts it. Called again for a request that is sent again. */
	open(signal: AbortSignal): Promise<OpenAudio>;
}

/** Audio that is being read, with what is known of it only then. */
export interface OpenAudio {
	/** In bytes; undefined if the source does not report it. */
	size: number | undefined;
	/** Name and type as the item or the server reports them; compared with the bytes before they are sent. */
	declared: { name: string; mimeType: string };
	chunks: AsyncIterable<Uint8Array>;
	/** Stops the reading and closes what was opened; may be called again. */
	close(): void;
}

/** What a file's header specifies for certain; the rest is undefined. */
export interface AudioProperties {
	seconds?: number;
	/** In Hz. */
	samplingRate?: number;
	channels?: number;
}

/** Reads audio once: first its beginning, to recognise the format, then all of it in order, with the beginning. */
export class AudioReader {
	/** Why it could not be read to its end. */
	fault: unknown;

	/** The bytes that were peeked at; free capacity may follow. Sent first. */
	private peeked: Buffer = Buffer.alloc(0);

	/** In bytes, from the source. */
	private received = 0;

	/** Number of calls of {@link peekAt}. */
	private reads = 0;

	/** Released at the end: it may hold the entire file, while the response is still to come. */
	private open: { source: OpenAudio; iterator: AsyncIterator<Uint8Array> } | undefined;

	/** In bytes; undefined if the source does not report it. */
	readonly size: OpenAudio['size'];

	readonly declared: OpenAudio['declared'];

	private constructor(
		source: OpenAudio,
		private readonly onBytes: () => void,
	) {
		this.open = { source, iterator: source.chunks[Symbol.asyncIterator]() };
		this.size = source.size;
		this.declared = source.declared;
	}

	/**
	 * Opens the audio and reads its {@link head}. More is kept only if one chunk contains more.
	 *
	 * @param signal aborts the reading
	 * @param onBytes called when bytes arrive from the source, before or during the upload
	 */
	static async open(
		source: AudioSource,
		signal: AbortSignal,
		onBytes: () => void,
	): Promise<AudioReader> {
		const reader = new AudioReader(await source.open(signal), onBytes);
		try {
			await reader.peek(headLength);
		} catch (error) {
			reader.close();
			return await Promise.reject(error);
		}
		return reader;
	}

	/** The first {@link headLength} bytes; fewer if the file is shorter. */
	get head(): Buffer {
		return this.peeked.subarray(0, Math.min(headLength, this.received));
	}

	/**
	 * Reads on up to this offset, and keeps the bytes for {@link bytes}. Must not be called after that.
	 *
	 * @param length in bytes, from the beginning
	 * @returns everything that was read so far: more than requested, or less if the file is shorter
	 */
	async peek(length: number): Promise<Buffer> {
		while (this.received < length) {
			const chunk = await this.next();
			if (chunk === undefined) break;
			this.keep(chunk);
		}
		return this.peeked.subarray(0, this.received);
	}

	/** `length` bytes from `offset`; fewer where the file, or what may be read of it for its header, ends. */
	async peekAt(offset: number, length: number): Promise<Buffer> {
		const end = Math.min(offset + length, maxProbeBytes);
		if (offset >= end || ++this.reads > maxProbeReads) return Buffer.alloc(0);
		return (await this.peek(end)).subarray(offset, end);
	}

	/** Appends to the peeked bytes. The capacity doubles, so the bytes copied grow linearly with the bytes read. */
	private keep(chunk: Uint8Array): void {
		const offset = this.received - chunk.length;
		// Not copied: in n8n's database mode the first chunk is the entire file.
		if (offset === 0) {
			this.peeked = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
			return;
		}
		if (this.received > this.peeked.length) {
			const grown = Buffer.alloc(2 * this.received);
			grown.set(this.peeked.subarray(0, offset));
			this.peeked = grown;
		}
		this.peeked.set(chunk, offset);
	}

	/**
	 * All bytes, from the first, in pieces. Can be read once.
	 *
	 * @param onPiece called before each piece; here, because a generator around this one would slow down each piece
	 * @param onEnd called behind the last piece
	 */
	async *bytes(onPiece: () => void, onEnd: () => void): AsyncGenerator<Uint8Array> {
		let chunk: Uint8Array | undefined = this.peeked.subarray(0, this.received);
		this.peeked = Buffer.alloc(0);
		for (; chunk !== undefined; chunk = await this.next()) {
			for (let start = 0; start < chunk.length; start += uploadPieceBytes) {
				onPiece();
				yield chunk.subarray(start, start + uploadPieceBytes);
			}
		}
		onEnd();
	}

	/** @returns undefined at the end */
	private async next(): Promise<Uint8Array | undefined> {
		if (this.open === undefined) return undefined;
		try {
			const next = await this.open.iterator.next();
			const chunk = next.done === true ? undefined : next.value;
			this.received += chunk?.length ?? 0;
			// The size is the Content-Length of the upload: with another length, the service would get a part of the audio
			// or wait for more. A server that compresses unasked reports the compressed length, for example.
			const { size = this.received } = this;
			if (this.received > size || (chunk === undefined && this.received < size)) {
				throw new UnexpectedError(`The audio is not as long as reported (${size} bytes)`);
			}
			if (chunk === undefined) {
				this.close();
			} else {
				this.onBytes();
				allocateGarbage(chunk.length);
			}
			return chunk;
		} catch (error) {
			this.fault = error;
			return await Promise.reject(error);
		}
	}

	/** Stops the reading; may be called again. */
	close(): void {
		this.open?.source.close();
		this.open = undefined;
	}
}
