import { textAt } from '../bytes';

/** What a file's header tells for certain; the rest is missing. */
export interface AudioProperties {
	seconds?: number;
	/** In Hz. */
	samplingRate?: number;
	channels?: number;
}

/** A DataView of the same memory. */
export function viewOf(bytes: Uint8Array): DataView {
	return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The bytes of a DataView: the same memory. */
export function bytesOf(view: DataView): Uint8Array {
	return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** Four bytes as Latin-1, the name of a chunk or box; shorter where the bytes end. */
export function nameAt(view: DataView, offset: number): string {
	return textAt(bytesOf(view), offset, 4);
}
