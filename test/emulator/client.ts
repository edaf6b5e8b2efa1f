/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import FormData from 'form-data';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { RunningEmulator } from '../support/emulator';

/** An answer of the service, whatever its type. */
export interface Answer {
	status: number;
	headers: http.IncomingHttpHeaders;
	body: Buffer;
	/** The body as text, and as JSON where it is some. */
	text: string;
	// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the tests know what they asked for
	json: any;
}

export type Part = [name: string, value: string | Buffer, options?: FormData.AppendOptions];

/** Sends a request as it is given, with nothing added. */
export async function send(
	url: string,
	options: { method?: string; headers?: http.OutgoingHttpHeaders; body?: string | Buffer } = {},
): Promise<Answer> {
	const request = http.request(url, {
		method: options.method ?? 'POST',
		headers: options.headers,
		agent: false,
	});
	request.end(options.body);
	return await readAnswer(request);
}

/** Waits for the answer to a request and reads it whole. */
export async function readAnswer(request: http.ClientRequest): Promise<Answer> {
	const [message] = (await once(request, 'response')) as [IncomingMessage];
	const body = await buffer(message);
	const text = body.toString();
	const isJson = text !== '' && /json/.test(message.headers['content-type'] ?? '');
	const json = isJson ? JSON.parse(text) : undefined;
	return { status: message.statusCode ?? 0, headers: message.headers, body, text, json };
}

/** Sends JSON as a client of the service does. */
export async function sendJson(
	{ baseUrl }: RunningEmulator,
	key: string,
	operation: string,
	body: unknown,
): Promise<Answer> {
	return await send(`${baseUrl}/ai/${operation}`, {
		headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
		body: JSON.stringify(body),
	});
}

/** Sends parts with the package `form-data`, chunked: without Content-Length. */
export async function sendForm(
	{ baseUrl }: RunningEmulator,
	key: string,
	operation: string,
	parts: Part[],
): Promise<Answer> {
	const form = new FormData();
	for (const [name, value, options] of parts) form.append(name, value, options);
	const request = http.request(`${baseUrl}/ai/${operation}`, {
		method: 'POST',
		headers: { 'X-API-Key': key, ...form.getHeaders() },
		agent: false,
	});
	form.pipe(request);
	return await readAnswer(request);
}

/** The usual two parts of an upload. */
export function fileParts(file: Buffer, fields: Record<string, string> = {}): Part[] {
	return [
		['file', file, { filename: 'recording.wav', contentType: 'audio/wav' }],
		...Object.entries(fields).map(([name, value]): Part => [name, value]),
	];
}

/** Clones a voice, and gives its id. */
export async function cloneVoice(
	emulator: RunningEmulator,
	key: string,
	sample: Buffer,
	name = 'Anna',
): Promise<string> {
	const answer = await sendForm(emulator, key, 'voice-clone', fileParts(sample, { name }));
	return (answer.json as { voice_id: string }).voice_id;
}
