import type { ForwardReader } from './forwardReader';
import { createDamagedError } from './recording';

// Names, layouts and section numbers are those of ISO/IEC 14496-12.

/** Maximum number of boxes to read in one box. A long fragment may contain thousands of runs. */
const maxBoxes = 100_000;

/** A box inside one that was read. */
export interface Box {
	name: string;
	content: Buffer;
}

/** The boxes inside another one (4.2), in order. The last one may be cut off. Throws ConversionError for too many. */
export function* listBoxes(content: Buffer): Generator<Box> {
	let offset = 0;
	let count = 0;
	while (offset + 8 <= content.length) {
		count++;
		if (count > maxBoxes) throw createDamagedError();
		let length = content.readUInt32BE(offset);
		let headerLength = 8;
		if (length === 1 && offset + 16 <= content.length) {
			length = Number(content.readBigUInt64BE(offset + 8));
			headerLength = 16;
		}
		// 0: to the end.
		const end = length === 0 ? content.length : offset + length;
		const start = offset + headerLength;
		if (end < start) return;
		yield {
			name: content.toString('latin1', offset + 4, offset + 8),
			content: content.subarray(start, end),
		};
		offset = end;
	}
}

/** Finds the content of the first box by the names of the boxes around it and its own, e.g. `mdia/hdlr`. */
export function findBox(content: Buffer, path: string): Buffer | undefined {
	let found: Buffer | undefined = content;
	for (const name of path.split('/')) {
		let inner: Buffer | undefined;
		for (const box of listBoxes(found)) {
			if (box.name !== name) continue;
			inner = box.content;
			break;
		}
		if (inner === undefined) return undefined;
		found = inner;
	}
	return found;
}

/** The header of a box that a reader is at the content of. */
export interface BoxHeader {
	name: string;
	/** Offset of the box in the file. */
	start: number;
	/** Length of the content in bytes; Infinity if it ends with the file. */
	length: number;
}

/** @returns undefined at the end, and where no box can be */
export async function readBoxHeader(reader: ForwardReader): Promise<BoxHeader | undefined> {
	const start = reader.position;
	const header = await reader.read(8);
	if (header.length < 8) return undefined;
	const name = header.toString('latin1', 4, 8);
	const length = header.readUInt32BE(0);
	if (length === 0) return { name, start, length: Infinity };
	if (length === 1) {
		const long = await reader.read(8);
		if (long.length < 8) return undefined;
		const total = Number(long.readBigUInt64BE(0));
		return total < 16 ? undefined : { name, start, length: total - 16 };
	}
	return length < 8 ? undefined : { name, start, length: length - 8 };
}
