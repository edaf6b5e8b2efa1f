import { Refusal } from './refusal.mts';
import type { Call } from './call.mts';

const maxBytes = 16 * 1024 * 1024;

/**
 * @returns the JSON object in the body
 * @throws {Refusal} unsupportedFormat, tooLarge, badField or clientClosed
 */
export async function readJsonBody(call: Call): Promise<Record<string, unknown>> {
	const { headers, raw } = call.request;
	if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
		throw new Refusal('unsupportedFormat', 'Send the body as application/json.');
	}
	const chunks: Buffer[] = [];
	try {
		for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
			chunks.push(chunk);
			if (call.bytesIn > maxBytes) {
				throw new Refusal('tooLarge', `The body is larger than ${maxBytes} bytes.`);
			}
		}
	} catch (error) {
		if (error instanceof Refusal) throw error;
		throw new Refusal('clientClosed', 'The client left before its body was complete.');
	}
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
		const value = JSON.parse(text) as Record<string, unknown> | null;
		if (typeof value === 'object' && value && !Array.isArray(value)) return value;
	} catch {
		// The body is not JSON or not UTF-8, and is refused below.
	}
	throw new Refusal('badField', 'The body must be a JSON object in UTF-8.');
}
