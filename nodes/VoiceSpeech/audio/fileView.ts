import { viewOf } from './headers/header';
import type { AudioReader } from './reader';

/** Number of reads per file. Headers of real files need a few dozen; a crafted file could ask for millions. */
const maxReads = 2000;

/** Random access to the beginning of a file. The reader keeps the bytes for the upload, so nothing is read twice. */
export class FileView {
	private reads = 0;

	/** @param maxBytes how much of the file is read at most, in bytes */
	constructor(
		private readonly reader: AudioReader,
		private readonly maxBytes: number,
	) {}

	/** In bytes; undefined if the source does not report it. */
	get fileSize(): number | undefined {
		return this.reader.size;
	}

	/** The bytes from `offset`, `length` of them; fewer where the file, or what may be read of it, ends. */
	async at(offset: number, length: number): Promise<DataView> {
		const end = Math.min(offset + length, this.maxBytes);
		if (offset >= end || ++this.reads > maxReads) return viewOf(new Uint8Array());
		const bytes = await this.reader.peek(end);
		return viewOf(bytes.subarray(Math.min(offset, bytes.length), end));
	}
}
