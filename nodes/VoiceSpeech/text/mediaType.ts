/** @returns what stands before a Content-Type's parameters; empty where there is no type */
export function withoutParameters(contentType: string): string {
	return contentType.replace(/;.*/, '').trim();
}
