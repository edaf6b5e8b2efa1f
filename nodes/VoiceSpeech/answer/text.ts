/**
 * Decodes a text answer by its announced charset; UTF-8 where none, or an unknown one, is announced.
 *
 * @param contentType the answer's Content-Type
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
	const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8';
	try {
		return new TextDecoder(charset).decode(bytes);
	} catch {
		return new TextDecoder().decode(bytes);
	}
}
