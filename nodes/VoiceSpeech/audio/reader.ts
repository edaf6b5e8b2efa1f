import { UnexpectedError, type IBinaryData } from 'n8n-workflow';

import { ForwardReader, type NodeStream, type Reading } from '../streams/forwardReader';
import { headBytes, maxProbeBytes, maxProbeReads } from '../limits';

/** Audio that can be sent, before anything of it is read. */
export interface AudioSource {
	/** Name of the item's file, for error texts; undefined for a URL, which may contain secrets. */
	fileName?: string;
	/** The file of the item; undefined for a URL. */
	file?: IBinaryData;
	/** Whether it is fetched from a URL. The first opening may be the only one that returns it. */
	isRemote: boolean;
	/** Sources with equal lists count as the same audio (docs/credits.md, rule 5). */
	identity: string[];
	/**
	 * Starts reading until the signal aborts it. Called again when a call is retried, and when a conversion reads the audio
	 * again.
	 *
	 * @throws {UserError} if it cannot be opened
	 */
	open(signal: AbortSignal): Promise<OpenAudio>;
}

/**
 * Node ends the process if a stream fails and nothing listens to its errors. A stream may fail before it is read: a server
 * may break off, and older versions of n8n return a stream that opens its file only later. The error is not lost: reading
 * the stream rejects with it.
 */
export function ignoreEarlyErrors(stream: NodeStream): void {
	stream.once('error', () => {});
}

/** Audio that is being read, with what is known about it only then. */
export interface OpenAudio extends Reading {
	/** In bytes; undefined if the source does not report it. */
	size: number | undefined;
	/** Name and type as the item or the server reports them. Where the bytes show another type, that one is sent. */
	declared: { name: string; mimeType: string };
	/** Whether the file of the item contains it as a data address. */
	isDecoded?: boolean;
}

/** The chunks of audio that is in memory. */
export async function* yieldAll(chunks: Buffer[]): AsyncGenerator<Buffer> {
	yield* chunks;
}

/** What a file's header specifies for certain; the rest is undefined. */
export interface AudioProperties {
	seconds?: number;
	/** In Hz. */
	samplingRate?: number;
	channels?: number;
}

/** What is missing of the audio that a header specifies: nothing, as far as the header shows, its end, or all of it. */
export type AudioGap = 'none' | 'end' | 'all';

/** Reads audio. Its beginning shows the format, and its header the properties of a voice sample. */
export class AudioReader extends ForwardReader {
	/** Number of calls of {@link peekAt}. */
	private reads = 0;

	readonly size: OpenAudio['size'];

	readonly declared: OpenAudio['declared'];

	readonly isDecoded: boolean;

	/** @param beforeRead called before the reader waits for bytes of the source, before or during the upload */
	constructor(source: OpenAudio, beforeRead: () => void) {
		super(source, { beforeRead });
		this.size = source.size;
		this.declared = source.declared;
		this.isDecoded = source.isDecoded === true;
	}

	/** The first {@link headBytes} bytes; fewer if the file is shorter, or was not read so far. */
	get head(): Buffer {
		return this.buffered.subarray(0, headBytes);
	}

	/**
	 * `length` bytes from any `offset`, which stay unread, as all bytes before them; fewer at the end of the file, at
	 * `maxProbeBytes`, or after `maxProbeReads` reads.
	 *
	 * @throws the {@link fault}
	 */
	override async peekAt(offset: number, length: number): Promise<Buffer> {
		const end = Math.min(offset + length, maxProbeBytes);
		if (offset >= end) return Buffer.alloc(0);
		this.reads++;
		if (this.reads > maxProbeReads) return Buffer.alloc(0);
		return (await this.peek(end)).subarray(offset, end);
	}

	/**
	 * Audio that is sent as it is has its size as the Content-Length of the upload. With another length, the service would
	 * get a part of the audio or wait for more. A server that compresses unasked reports the compressed length, for example.
	 *
	 * @throws {UnexpectedError} if the audio is not as long as reported
	 */
	protected override compareLength(receivedBytes: number, isAtEnd: boolean): void {
		if (this.size === undefined) return;
		const isWrong = isAtEnd ? receivedBytes !== this.size : receivedBytes > this.size;
		if (isWrong) {
			throw new UnexpectedError(`The audio is not as long as reported (${this.size} bytes)`);
		}
	}
}
