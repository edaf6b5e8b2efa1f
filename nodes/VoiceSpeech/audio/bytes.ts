/** The bytes from `start`, each as the character of that code (Latin-1); shorter where the bytes end. */
export function textAt(bytes: Uint8Array, start: number, length: number): string {
	return String.fromCharCode(...bytes.subarray(start, start + length));
}

/** Whether these bytes stand at the beginning. */
export function startsWith(bytes: Uint8Array, first: number[]): boolean {
	return first.every((byte, index) => bytes[index] === byte);
}
