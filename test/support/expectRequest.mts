import { computeSha256, type RecordedRequest } from './servers/scriptedServer.mts';

/** A part of a multipart body, as it must be sent. */
export interface SentPart {
	head: string;
	body: Buffer;
}

const callHeaders = [
	'accept',
	'accept-encoding',
	'connection',
	'content-length',
	'content-type',
	'host',
	'user-agent',
	'x-api-key',
];

export function createTextPart(name: string, text: string): SentPart {
	return { head: `Content-Disposition: form-data; name="${name}"`, body: Buffer.from(text) };
}

export function createFilePart(
	name: string,
	fileName: string,
	type: string,
	body: Buffer,
): SentPart {
	const disposition = `Content-Disposition: form-data; name="${name}"; filename="${fileName}"`;
	return { head: `${disposition}\r\nContent-Type: ${type}`, body };
}

/** Expects what every call has in common. */
export function expectCall(request: RecordedRequest, path: string, apiKey: string): void {
	expect({ method: request.method, url: request.url }).toEqual({ method: 'POST', url: path });
	expect(request.headerNames.map((name) => name.toLowerCase()).sort()).toEqual(callHeaders);
	expect(request.headers).toMatchObject({
		'x-api-key': apiKey,
		accept: '*/*',
		'accept-encoding': 'identity;q=1, *;q=0',
		// It lets n8n read a response that comes before the end of the request.
		connection: 'keep-alive',
		'content-length': String(request.body.length),
	});
}

/** Expects these parts in this order, and no other byte. */
export function expectParts(request: RecordedRequest, parts: SentPart[]): void {
	expect(request.parts.map(({ head }) => head)).toEqual(parts.map(({ head }) => head));
	const type = request.headers['content-type'] ?? '';
	expect(type).toMatch(/^multipart\/form-data; boundary=[\w'()+,./:=?-]+$/);
	const boundary = type.slice(type.indexOf('=') + 1);
	const expectedBody = Buffer.concat([
		...parts.flatMap(({ head, body }) => [
			Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
			body,
			Buffer.from('\r\n'),
		]),
		Buffer.from(`--${boundary}--\r\n`),
	]);
	expect(computeSha256(request.body)).toBe(computeSha256(expectedBody));
}

export function expectJsonText(request: RecordedRequest, text: string): void {
	expect(request.headers['content-type']).toBe('application/json');
	expect(request.body.toString()).toBe(text);
}
