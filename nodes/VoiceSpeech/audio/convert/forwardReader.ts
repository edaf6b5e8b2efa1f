/** One reading of a recording, from the start of its container. */
export interface Reading {
	chunks: AsyncIterable<Uint8Array>;
	/** Stops the reading. One in progress may never settle. */
	close(): void;
}

/** Calls a function with another reader, which is at the start of the recording. The reader before it must not be used. */
export type ReadAgain = <Result>(
	use: (reader: ForwardReader) => Promise<Result>,
) => Promise<Result>;

/** How many bytes are searched at a time. */
const searchedBytes = 4096;

/** Reads a recording from its start to its end, in the lengths that a format asks for. */
export class ForwardReader {
	/** Offset of the next byte in the container. */
	position = 0;

	/** Bytes that were received, but not read. */
	private rest: Uint8Array = Buffer.alloc(0);

	private readonly iterator: AsyncIterator<Uint8Array>;

	/**
	 * @param yieldToEventLoop lets the process do other work; called regularly, because awaiting bytes that are there already
	 * does not
	 */
	constructor(
		private readonly reading: Reading,
		readonly yieldToEventLoop: () => Promise<void>,
	) {
		this.iterator = reading.chunks[Symbol.asyncIterator]();
	}

	close(): void {
		this.reading.close();
	}

	/** The next bytes in a buffer of their own; fewer than `length` only at the end. */
	async read(length: number): Promise<Buffer> {
		await this.yieldToEventLoop();
		const parts: Uint8Array[] = [];
		let missing = length;
		while (missing > 0 && (await this.fill())) {
			const part = this.rest.subarray(0, missing);
			this.advance(part.length);
			parts.push(part);
			missing -= part.length;
		}
		return Buffer.concat(parts);
	}

	/** The next bytes, which stay unread; fewer than `length` only at the end. */
	async peek(length: number): Promise<Buffer> {
		const received = this.peekReceived(length);
		if (received !== undefined) return received;
		await this.yieldToEventLoop();
		const parts = [this.rest];
		let available = this.rest.length;
		while (available < length) {
			const next = await this.iterator.next();
			if (next.done === true) break;
			parts.push(next.value);
			available += next.value.length;
		}
		if (parts.length > 1) this.rest = Buffer.concat(parts);
		const bytes = this.rest.subarray(0, length);
		return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
	}

	/**
	 * Does what {@link peek} does without waiting, which is many times faster for a file with millions of small parts.
	 *
	 * @returns undefined if fewer bytes were received
	 */
	peekReceived(length: number): Buffer | undefined {
		if (length > this.rest.length) return undefined;
		return Buffer.from(this.rest.buffer, this.rest.byteOffset, length);
	}

	/**
	 * Does what {@link skip} does without waiting.
	 *
	 * @returns false if fewer bytes were received; then none is skipped
	 */
	skipReceived(length: number): boolean {
		if (length > this.rest.length) return false;
		this.advance(length);
		return true;
	}

	/**
	 * @param length in bytes; Infinity skips the rest
	 * @returns the number of bytes that were skipped, which are fewer than `length` only at the end
	 */
	async skip(length: number): Promise<number> {
		await this.yieldToEventLoop();
		const start = this.position;
		let missing = length;
		while (missing > 0 && (await this.fill())) {
			const skipped = Math.min(missing, this.rest.length);
			this.advance(skipped);
			missing -= skipped;
		}
		return this.position - start;
	}

	/**
	 * Skips to the next occurrence of a pattern, e.g. over a damaged part.
	 *
	 * @returns false if there is none; then fewer bytes than the pattern has are left
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

	async isAtEnd(): Promise<boolean> {
		return !(await this.fill());
	}

	private advance(length: number): void {
		this.rest = this.rest.subarray(length);
		this.position += length;
	}

	/** Reads the next chunk if nothing is left of the last one. Returns false at the end. */
	private async fill(): Promise<boolean> {
		while (this.rest.length === 0) {
			const next = await this.iterator.next();
			if (next.done === true) return false;
			this.rest = next.value;
		}
		return true;
	}
}
