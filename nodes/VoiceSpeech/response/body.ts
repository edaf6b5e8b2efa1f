import { allocateGarbage } from '../audio/garbage';
import { headLength } from '../audio/format';
import { maxPaddingBytes } from '../limits';

/** What n8n's client returns for `encoding: 'stream'`: a Node stream of any class. */
export type ResponseStream = AsyncIterable<Uint8Array> & { destroy(): void };

const whiteSpace = new Set([0x09, 0x0a, 0x0d, 0x20]);

/** Where the first byte is that is not white space (RFC 8259, 2). */
function paddingLength(bytes: Uint8Array): number {
	const start = bytes.findIndex((byte) => !whiteSpace.has(byte));
	return start < 0 ? bytes.length : start;
}

/** The body of a response: its first bytes known, the rest still to come. Read once. */
export class ResponseBody {
	private readonly iterator: AsyncIterator<Uint8Array>;

	/** Read, but not yet handed on. */
	private early: Uint8Array[] = [];

	/** In bytes. */
	private earlyLength = 0;

	/** The first bytes, without white space before them; fewer than {@link headLength} if the body is shorter. */
	head: Uint8Array = new Uint8Array();

	/** Why the body ended early; what came before is there. */
	fault: unknown;

	private constructor(
		private readonly stream: ResponseStream,
		private readonly onBytes: () => void,
	) {
		this.iterator = stream[Symbol.asyncIterator]();
	}

	/**
	 * Reads the first bytes. Does not throw if the body breaks off: {@link fault} says why.
	 *
	 * @param onBytes called whenever bytes arrive
	 */
	static async open(stream: ResponseStream, onBytes: () => void): Promise<ResponseBody> {
		const body = new ResponseBody(stream, onBytes);
		let padding = 0;
		// Services pad a JSON response with white space while they work.
		for (let wanted = headLength; wanted <= maxPaddingBytes + headLength; ) {
			await body.readAhead(wanted);
			padding = paddingLength(body.merged);
			if (body.earlyLength < wanted || padding + headLength <= wanted) break;
			wanted = padding + headLength;
		}
		body.head = body.merged.subarray(padding, padding + headLength);
		return body;
	}

	private get merged(): Uint8Array {
		if (this.early.length > 1) this.early = [Buffer.concat(this.early)];
		return this.early[0] ?? new Uint8Array();
	}

	/** Reads until this many bytes are there, or the body ends. */
	private async readAhead(length: number): Promise<void> {
		try {
			while (this.earlyLength < length && (await this.readChunk()));
		} catch {
			// Kept as the fault.
		}
	}

	/** @returns false at the end of the body */
	private async readChunk(): Promise<boolean> {
		const chunk = await this.next();
		if (chunk === undefined) return false;
		this.early.push(chunk);
		this.earlyLength += chunk.length;
		return true;
	}

	/** @returns undefined at the end of the body */
	private async next(): Promise<Uint8Array | undefined> {
		if (this.fault !== undefined) throw this.fault;
		try {
			const next = await this.iterator.next();
			this.onBytes();
			return next.done === true ? undefined : next.value;
		} catch (error) {
			this.fault = error;
			return await Promise.reject(error);
		}
	}

	/** All bytes, from the first. @param onChunk called with the length of each chunk, in bytes */
	private async *bytes(onChunk: (length: number) => void = () => {}): AsyncGenerator<Uint8Array> {
		for (let chunk = this.early.shift(); chunk !== undefined; chunk = this.early.shift()) {
			onChunk(chunk.length);
			yield chunk;
		}
		for (;;) {
			const chunk = await this.next();
			if (chunk === undefined) return;
			onChunk(chunk.length);
			allocateGarbage(chunk.length);
			yield chunk;
		}
	}

	/**
	 * The entire body if it is short; otherwise all of it is still to be read.
	 *
	 * @param limit in bytes
	 * @returns undefined if the body is longer
	 */
	async readShort(limit: number): Promise<Buffer | undefined> {
		while (this.earlyLength <= limit) {
			if (!(await this.readChunk())) return Buffer.from(this.merged);
		}
		return undefined;
	}

	/** The entire body. */
	async read(): Promise<Buffer> {
		const chunks: Uint8Array[] = [];
		for await (const chunk of this.bytes()) chunks.push(chunk);
		return Buffer.concat(chunks);
	}

	/**
	 * The start of the body as far as it arrives; does not throw if the body breaks off.
	 *
	 * @param limit in bytes; what comes behind it is not read
	 */
	async readStart(limit: number): Promise<Buffer> {
		await this.readAhead(limit);
		this.close();
		return Buffer.from(this.merged.subarray(0, limit));
	}

	/**
	 * The body as a stream for n8n's binary storage, in constant memory.
	 *
	 * @param onChunk called with the length of each chunk, in bytes
	 */
	asStream(onChunk: (length: number) => void): NodeJS.ReadableStream {
		// A verified node may not import the stream module, but every class of streams has `from`.
		const { from } = this.stream.constructor as unknown as {
			from(chunks: AsyncIterable<Uint8Array>, options: object): NodeJS.ReadableStream;
		};
		return from(this.bytes(onChunk), { objectMode: false });
	}

	/** Stops the reading; may be called again. */
	close(): void {
		this.stream.destroy();
	}
}
