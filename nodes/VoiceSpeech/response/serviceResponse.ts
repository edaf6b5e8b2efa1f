import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { allocateGarbage } from '../audio/garbage';
import { textOrEmpty } from '../errors/reason';
import { headLength, maxPaddingBytes } from '../limits';

/** What n8n's client returns for `encoding: 'stream'`: a Node stream of any class. */
type BodyStream = AsyncIterable<Uint8Array> & { destroy(): void };

/** Length of the white space (RFC 8259, 2) in front of the content. */
const paddingLength = (bytes: Buffer) =>
	/^[\t\n\r ]*/.exec(bytes.toString('latin1'))?.[0].length ?? 0;

/** A response of the service. The first bytes of its body are known; the body is read once. */
export class ServiceResponse {
	/** As the service declared it; empty if it did not. */
	readonly contentType: string;

	/** The first bytes, without white space before them; fewer than {@link headLength} if the body is shorter. */
	head: Uint8Array = new Uint8Array();

	/** How many bytes of the body have arrived. */
	received = 0;

	/** Why the body ended early; the bytes received before are readable. */
	fault: unknown;

	/** Read, but not yet handed on. */
	private early: Uint8Array[] = [];

	private readonly stream: BodyStream;

	private readonly iterator: AsyncIterator<Uint8Array>;

	private constructor(
		{ headers, body }: IN8nHttpFullResponse,
		private readonly onBytes: () => void,
	) {
		this.contentType = textOrEmpty(headers['content-type']);
		this.stream = body as unknown as BodyStream;
		this.iterator = this.stream[Symbol.asyncIterator]();
	}

	/**
	 * Reads the first bytes. Does not throw if the body breaks off: {@link fault} says why.
	 *
	 * @param onBytes called whenever bytes arrive
	 */
	static async open(response: IN8nHttpFullResponse, onBytes: () => void): Promise<ServiceResponse> {
		const opened = new ServiceResponse(response, onBytes);
		let padding = 0;
		// Services pad a JSON response with white space while they work.
		for (let wanted = 0; wanted < padding + headLength && padding <= maxPaddingBytes; ) {
			wanted = padding + headLength;
			await opened.readAhead(wanted).catch(() => {}); // kept as the fault
			padding = paddingLength(opened.start);
		}
		opened.head = opened.start.subarray(padding, padding + headLength);
		return opened;
	}

	/** What was read ahead, in one piece. */
	private get start(): Buffer {
		const start = Buffer.concat(this.early);
		this.early = [start];
		return start;
	}

	/** Reads ahead until this many bytes have arrived, or the body ends. */
	private async readAhead(length: number): Promise<void> {
		while (this.received < length) {
			const chunk = await this.next();
			if (chunk === undefined) return;
			this.early.push(chunk);
		}
	}

	/** @returns undefined at the end of the body */
	private async next(): Promise<Uint8Array | undefined> {
		if (this.fault !== undefined) throw this.fault;
		try {
			const { done, value } = await this.iterator.next();
			this.onBytes();
			if (done === true) return undefined;
			this.received += value.length;
			return value;
		} catch (error) {
			this.fault = error;
			return await Promise.reject(error);
		}
	}

	/** The entire body, in chunks. */
	private async *chunks(): AsyncGenerator<Uint8Array> {
		yield* this.early.splice(0);
		for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) {
			allocateGarbage(chunk.length);
			yield chunk;
		}
	}

	/** The entire body. */
	async read(): Promise<Buffer> {
		await this.readAhead(Infinity);
		return this.start;
	}

	/**
	 * The start of the body as far as it arrives. Does not throw if the body breaks off.
	 *
	 * @param limit in bytes; the rest is not read
	 */
	async readStart(limit: number): Promise<Buffer> {
		await this.readAhead(limit).catch(() => {}); // kept as the fault
		this.close();
		return this.start.subarray(0, limit);
	}

	/** The entire body as a stream for n8n's binary storage, in constant memory. */
	asStream(): NodeJS.ReadableStream {
		// A verified node may not import the stream module, but every class of streams has `from`.
		const { from } = this.stream.constructor as unknown as {
			from(chunks: AsyncIterable<Uint8Array>, options: object): NodeJS.ReadableStream;
		};
		return from(this.chunks(), { objectMode: false });
	}

	/** Stops the reading; can be called again. */
	close(): void {
		this.stream.destroy();
	}
}
