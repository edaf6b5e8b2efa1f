/** The bytes from `start` as Latin-1; shorter where the bytes end. */
export function textAt(bytes: Uint8Array, start: number, length: number): string {
	return String.fromCharCode(...bytes.subarray(start, start + length));
}
