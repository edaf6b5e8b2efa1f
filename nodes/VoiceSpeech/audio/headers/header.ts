import { textAt } from '../bytes';

/** What a recording's header tells; what it does not tell is missing. */
export interface Measures {
	seconds?: number;
	/** In Hz. */
	samplingRate?: number;
	channels?: number;
}

/** A file of which only the beginning is at hand. */
export interface Beginning {
	/** In bytes; undefined where the length of the file is not known. */
	fileSize: number | undefined;
	/**
	 * The bytes from `start`, fewer where the file, or what may be read of it, ends there.
	 *
	 * @param length in bytes
	 */
	at(start: number, length: number): Promise<DataView>;
}

/** A DataView over the very bytes. */
export function viewOf(bytes: Uint8Array): DataView {
	return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The very bytes of a DataView. */
export function bytesOf(view: DataView): Uint8Array {
	return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** Four bytes as Latin-1, the name of a chunk or box; shorter where the bytes end. */
export function nameAt(view: DataView, place: number): string {
	return textAt(bytesOf(view), place, 4);
}
