import { viewOf, type Beginning } from './headers/header';
import type { RecordingReader } from './reader';

/** More looks than any real recording's header needs: what goes on longer is made to go on. */
const mostLooks = 2000;

/**
 * The beginning of a recording, looked at here and there. What is read for it is kept for the call, so that nothing
 * is read twice.
 *
 * @param mostRead how much of the recording is read at most, in bytes
 */
export function beginningOf(reader: RecordingReader, mostRead: number): Beginning {
	let looks = 0;
	return {
		fileSize: reader.size,
		async at(start, length) {
			const end = Math.min(start + length, mostRead);
			if (start >= end || ++looks > mostLooks) return viewOf(new Uint8Array());
			const bytes = await reader.peek(end);
			return viewOf(bytes.subarray(Math.min(start, bytes.length), end));
		},
	};
}
