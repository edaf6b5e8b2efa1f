import { copiesOverHttp, paceCollector } from '../audio/collector';

/** What n8n hands over for `encoding: 'stream'`: a Node stream, of whatever class. */
export type AnswerStream = AsyncIterable<Uint8Array> & { destroy(): void };

/** What n8n's binary storage takes beside a buffer. */
export type StorableStream = NodeJS.ReadableStream;

/**
 * An answer's body: its first bytes known, the rest still to come. Read once.
 */
export class AnswerBody {
	private constructor(
		private readonly stream: AnswerStream,
		private readonly iterator: AsyncIterator<Uint8Array>,
		private readonly onChunk: () => void,
		private readonly early: Uint8Array[],
		/** The first bytes, fewer than asked for where the body is shorter. */
		readonly head: Uint8Array,
		/** Why not even the first bytes could be read; what came of them is there. */
		readonly fault: unknown,
	) {}

	/**
	 * Reads the first bytes. Does not throw where the body breaks off: what it says may tell why.
	 *
	 * @param headLength how many bytes to look at
	 * @param onChunk told whenever bytes arrive
	 */
	static async open(
		stream: AnswerStream,
		headLength: number,
		onChunk: () => void,
	): Promise<AnswerBody> {
		const iterator = stream[Symbol.asyncIterator]();
		const early: Uint8Array[] = [];
		let length = 0;
		let fault: unknown;
		try {
			while (length < headLength) {
				const next = await iterator.next();
				onChunk();
				if (next.done === true) break;
				early.push(next.value);
				length += next.value.length;
			}
		} catch (error) {
			fault = error;
		}
		return new AnswerBody(
			stream,
			iterator,
			onChunk,
			early,
			Buffer.concat(early).subarray(0, headLength),
			fault,
		);
	}

	/**
	 * All bytes, from the first.
	 *
	 * @param onBytes told how many bytes each chunk has; here, as every generator more costs each chunk its time
	 */
	private async *bytes(onBytes: (count: number) => void = () => {}): AsyncGenerator<Uint8Array> {
		for (const chunk of this.early) {
			onBytes(chunk.length);
			yield chunk;
		}
		for (;;) {
			const next = await this.iterator.next();
			this.onChunk();
			if (next.done === true) return;
			onBytes(next.value.length);
			paceCollector(copiesOverHttp * next.value.length);
			yield next.value;
		}
	}

	/**
	 * The whole body if it is short, without reading on where it is long.
	 *
	 * @param limit in bytes
	 * @returns undefined where there is more; all of it is still to be read then
	 */
	async readShort(limit: number): Promise<Buffer | undefined> {
		let length = this.early.reduce((sum, chunk) => sum + chunk.length, 0);
		while (length <= limit) {
			const next = await this.iterator.next();
			this.onChunk();
			if (next.done === true) return Buffer.concat(this.early);
			this.early.push(next.value);
			length += next.value.length;
		}
		return undefined;
	}

	/** The whole body. */
	async read(): Promise<Buffer> {
		const chunks: Uint8Array[] = [];
		for await (const chunk of this.bytes()) chunks.push(chunk);
		return Buffer.concat(chunks);
	}

	/**
	 * The beginning of the body, as far as it comes: for a text that says why a call was refused, half of it is
	 * better than the news that it broke off.
	 *
	 * @param limit where to stop, in bytes; the rest is not read
	 */
	async readBeginning(limit: number): Promise<Buffer> {
		const chunks: Uint8Array[] = [];
		let length = 0;
		try {
			for await (const chunk of this.bytes()) {
				chunks.push(chunk);
				length += chunk.length;
				if (length >= limit) break;
			}
		} catch {
			// What came is what there is.
		}
		this.close();
		return Buffer.concat(chunks).subarray(0, limit);
	}

	/**
	 * The body as a stream for n8n's binary storage, in constant memory.
	 *
	 * @param onBytes told how many bytes each chunk has
	 */
	asStream(onBytes: (count: number) => void): StorableStream {
		// The stream module may not be imported in a verified node; every stream's class has its `from`.
		const { from } = this.stream.constructor as unknown as {
			from(chunks: AsyncIterable<Uint8Array>, options: object): StorableStream;
		};
		return from(this.bytes(onBytes), { objectMode: false });
	}

	/** Ends the reading wherever it is; harmless after the end. */
	close(): void {
		this.stream.destroy();
	}
}
