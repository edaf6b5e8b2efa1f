/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A part of a multipart body, as it stood on the wire. */
export interface Part {
	/** Its header lines, as written. */
	head: string;
	headers: Record<string, string>;
	name: string | undefined;
	fileName: string | undefined;
	body: Buffer;
	sha256: string;
}

export interface RecordedRequest {
	method: string;
	url: string;
	headers: IncomingMessage['headers'];
	/** Header names as they were written, each as often as it came. */
	headerNames: string[];
	body: Buffer;
	parts: Part[];
}

export type Answer = (request: RecordedRequest, response: ServerResponse, index: number) => void;

/** Sends JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
	return (_request, response) => {
		response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
		response.end(JSON.stringify(body));
	};
}

/** Sends bytes under a type. */
export function bytes(
	body: Buffer | string,
	contentType: string | undefined,
	status = 200,
): Answer {
	return (_request, response) => {
		response.writeHead(status, contentType === undefined ? {} : { 'Content-Type': contentType });
		response.end(body);
	};
}

export function sha256(data: Buffer): string {
	return createHash('sha256').update(data).digest('hex');
}

function parameter(header: string, name: string): string | undefined {
	return new RegExp(`[; ]${name}="([^"]*)"`).exec(header)?.[1];
}

function readPart(raw: Buffer): Part {
	const end = raw.indexOf('\r\n\r\n');
	const head = raw.subarray(0, end).toString();
	const lines = head.split('\r\n').filter(Boolean);
	const headers = Object.fromEntries(
		lines.map((line) => [
			line.slice(0, line.indexOf(':')).toLowerCase(),
			line.slice(line.indexOf(':') + 1).trim(),
		]),
	);
	const disposition = headers['content-disposition'] ?? '';
	const body = raw.subarray(end + 4, raw.length - 2);
	return {
		head,
		headers,
		name: parameter(disposition, 'name'),
		fileName: parameter(disposition, 'filename'),
		body,
		sha256: sha256(body),
	};
}

/** Takes a multipart body apart by hand, so that no library's leniency hides what was sent. */
function readParts(body: Buffer, contentType = ''): Part[] {
	const boundary = /boundary=([^;]+)/.exec(contentType)?.[1];
	if (boundary === undefined) return [];
	const delimiter = Buffer.from(`--${boundary}`);
	const places: number[] = [];
	for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + 1))
		places.push(at);
	return places
		.slice(0, -1)
		.map((at, index) => readPart(body.subarray(at + delimiter.length + 2, places[index + 1])));
}

/** A small server that writes down what arrives, and answers what the test says. */
export class Recorder {
	readonly requests: RecordedRequest[] = [];

	/** Calls that arrived, read or not. */
	arrived = 0;

	/** Calls under way now, and the most there were at once. */
	underWay = 0;

	mostAtOnce = 0;

	answer: Answer = json({});

	/** Takes the request over before its body is read. */
	intercept:
		| ((request: IncomingMessage, response: ServerResponse, index: number) => boolean)
		| undefined;

	private readonly server = createServer((request, response) => void this.take(request, response));

	static async start(answer?: Answer): Promise<Recorder> {
		const recorder = new Recorder();
		if (answer) recorder.answer = answer;
		await new Promise<void>((resolve) => recorder.server.listen(0, '127.0.0.1', resolve));
		return recorder;
	}

	get baseUrl(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	/** Forgets what came so far. */
	reset(answer?: Answer): void {
		this.requests.length = 0;
		this.arrived = 0;
		this.mostAtOnce = 0;
		this.intercept = undefined;
		if (answer) this.answer = answer;
	}

	private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const index = this.arrived++;
		this.mostAtOnce = Math.max(this.mostAtOnce, ++this.underWay);
		response.on('close', () => this.underWay--);
		request.on('error', () => {});
		if (this.intercept?.(request, response, index) === true) return;
		const chunks: Buffer[] = [];
		try {
			for await (const chunk of request) chunks.push(chunk as Buffer);
		} catch {
			return; // broken off by the other side
		}
		const body = Buffer.concat(chunks);
		const recorded: RecordedRequest = {
			method: request.method ?? '',
			url: request.url ?? '',
			headers: request.headers,
			headerNames: request.rawHeaders.filter((_, place) => place % 2 === 0),
			body,
			parts: readParts(body, request.headers['content-type']),
		};
		this.requests.push(recorded);
		this.answer(recorded, response, index);
	}
}
