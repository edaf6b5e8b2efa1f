/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { createHash } from 'node:crypto';
import {
	createServer as createHttpServer,
	request as httpRequest,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Duplex, PassThrough } from 'node:stream';
import { TLSSocket } from 'node:tls';

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
	/** As they were sent, with duplicates. */
	headerNames: string[];
	body: Buffer;
	parts: Part[];
}

/** Responds to a request; `index` counts the requests from 0. */
export type Answer = (request: RecordedRequest, response: ServerResponse, index: number) => void;

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
	return (_request, response) => {
		response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
		response.end(JSON.stringify(body));
	};
}

/** Sends bytes with a Content-Type, or without one. */
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

/** Forwards requests, as a proxy does; to `baseUrl` if their URLs are only paths. */
export function forward(baseUrl = (): string => ''): Answer {
	return ({ method, url, headers, body }, response) => {
		const onward = httpRequest(`${baseUrl()}${url}`, { method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 500, answer.headers);
			answer.pipe(response);
		});
		onward.on('error', () => response.destroy());
		onward.end(body);
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

/** Parses a multipart body by hand: a library would tolerate, and hide, mistakes. */
function readParts(body: Buffer, contentType = ''): Part[] {
	const boundary = /boundary=([^;]+)/.exec(contentType)?.[1];
	if (boundary === undefined) return [];
	const delimiter = Buffer.from(`--${boundary}`);
	const offsets: number[] = [];
	for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + 1))
		offsets.push(at);
	return offsets
		.slice(0, -1)
		.map((at, index) => readPart(body.subarray(at + delimiter.length + 2, offsets[index + 1])));
}

/** What is known of a connection: its number, from 0, and the TCP socket below TLS, which sends unencrypted bytes. */
interface Connection {
	index: number;
	tcp: Socket;
}

/** Called whenever bytes arrive on a connection, with all that arrived on it so far. */
export type RawAnswer = (socket: Socket, received: Buffer, connection: Connection) => void;

/** Whether a request is complete: its headers, and as much body as they declare. */
export function isComplete(request: Buffer): boolean {
	const end = request.indexOf('\r\n\r\n');
	if (end < 0) return false;
	const head = request.subarray(0, end).toString('latin1');
	const length = /content-length: (\d+)/i.exec(head)?.[1];
	return length === undefined
		? request.subarray(-7).toString() === '\r\n0\r\n\r\n'
		: request.length >= end + 4 + Number(length);
}

/** Sends these bytes once the request is complete, and ends the connection in this way. */
export function rawResponse(
	bytes: Buffer | string,
	ending: 'close' | 'reset' | 'keep' = 'close',
): RawAnswer {
	return (socket, request) => {
		if (!isComplete(request)) return;
		if (ending === 'keep') socket.write(bytes);
		else if (ending === 'close') socket.end(bytes);
		else socket.write(bytes, () => socket.resetAndDestroy());
	};
}

/** Of a server on this machine. Use the name localhost: n8n 1 and 2.0 send an IP address as TLS server name too. */
const selfSigned = {
	key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRbBNmuVUlFvbnxJ0
le2FG8onTG/p2k1KiZ9cKoN0HpShRANCAAQTTICGYwQRwxz944e2yag/c636iSif
rDsMpMOpsbr/EDVPOjLmP8qZgXgKN6SFGBToCkh93c4phgY84+O4Udl+
-----END PRIVATE KEY-----
`,
	cert: `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUYW6vLHRsS6fwCgqkeycK4DO62F4wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMDEyNDg0M1oYDzIxMjYxMDI3
MTI0ODQzWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQTTICGYwQRwxz944e2yag/c636iSifrDsMpMOpsbr/EDVPOjLmP8qZ
gXgKN6SFGBToCkh93c4phgY84+O4Udl+o1MwUTAdBgNVHQ4EFgQU1STo5a2I858s
fKSmn62OPzo0wB0wHwYDVR0jBBgwFoAU1STo5a2I858sfKSmn62OPzo0wB0wDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAzlzjIzNZ7yqFLl0Cjwji
YrSBasYOR1nTYJ3WpMO2eKMCIFMLXOW5fva+5QuUGoDH7PIDJAA6zZKtQWVJRBvt
QUHk
-----END CERTIFICATE-----
`,
};

/**
 * Stands in for the service, for sources of audio and for proxies: records requests and responds as the test says, in
 * HTTP or with raw bytes, with or without TLS.
 */
export class ScriptedServer {
	readonly requests: RecordedRequest[] = [];

	/** Requests of which at least the headers arrived. */
	arrived = 0;

	inProgress = 0;

	mostAtOnce = 0;

	connections = 0;

	answer: Answer = json({});

	/** Handles a request before its body is read; false leaves it to {@link answer}. */
	intercept:
		| ((request: IncomingMessage, response: ServerResponse, index: number) => boolean)
		| undefined;

	/** Handles new connections below HTTP. One that is set later does not concern connections in use. */
	rawAnswer: RawAnswer | undefined;

	private readonly sockets = new Set<Socket>();

	private readonly http = createHttpServer(
		(request, response) => void this.receive(request, response),
	);

	private readonly server = createServer((socket) => this.accept(socket));

	private constructor(private readonly tls: boolean) {}

	/** @param tls with a certificate that clients refuse, unless they ignore it */
	static async start(answer?: Answer, { tls = false } = {}): Promise<ScriptedServer> {
		const server = new ScriptedServer(tls);
		if (answer) server.answer = answer;
		await server.listen();
		return server;
	}

	/** A server for the tests of a describe, which forgets between them what it saw, and responds as at first. */
	static use(answer?: Answer, { tls = false } = {}): ScriptedServer {
		const server = new ScriptedServer(tls);
		beforeAll(async () => await server.listen());
		afterAll(async () => await server.stop());
		beforeEach(() => server.reset(answer));
		return server;
	}

	private async listen(): Promise<void> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
	}

	get baseUrl(): string {
		return this.tls ? `https://localhost:${this.port}` : `http://127.0.0.1:${this.port}`;
	}

	get port(): number {
		return (this.server.address() as AddressInfo).port;
	}

	get openConnections(): number {
		return this.sockets.size;
	}

	async stop(): Promise<void> {
		for (const socket of this.sockets) socket.destroy();
		await new Promise((resolve) => this.server.close(resolve));
	}

	reset(answer?: Answer): void {
		this.requests.length = 0;
		this.arrived = 0;
		this.mostAtOnce = 0;
		this.connections = 0;
		this.intercept = undefined;
		if (answer) this.answer = answer;
	}

	private accept(tcp: Socket): void {
		const index = this.connections++;
		this.sockets.add(tcp);
		tcp.on('error', () => {});
		tcp.on('close', () => this.sockets.delete(tcp));
		const socket = this.tls ? this.decrypt(tcp) : tcp;
		if (this.rawAnswer === undefined) {
			this.http.emit('connection', socket);
			return;
		}
		let received = Buffer.alloc(0);
		let answer: RawAnswer | undefined;
		socket.on('data', (bytes: Buffer) => {
			received = Buffer.concat([received, bytes]);
			answer ??= this.rawAnswer;
			answer?.(socket, received, { index, tcp });
		});
	}

	/** Not by a TLS server: it would take the TCP socket, which then could not send unencrypted bytes. */
	private decrypt(tcp: Socket): Socket {
		const [readable, writable] = [new PassThrough(), new PassThrough()];
		tcp.pipe(readable);
		writable.pipe(tcp);
		const encrypted = Duplex.from({ readable, writable });
		const socket = new TLSSocket(encrypted as Socket, { isServer: true, ...selfSigned });
		socket.on('error', () => {});
		tcp.on('close', () => socket.destroy());
		return socket;
	}

	private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const index = this.arrived++;
		this.mostAtOnce = Math.max(this.mostAtOnce, ++this.inProgress);
		response.on('close', () => this.inProgress--);
		request.on('error', () => {});
		if (this.intercept?.(request, response, index) === true) return;
		const chunks: Buffer[] = [];
		try {
			for await (const chunk of request) chunks.push(chunk as Buffer);
		} catch {
			return; // the client ended the connection
		}
		const body = Buffer.concat(chunks);
		const recorded: RecordedRequest = {
			method: request.method ?? '',
			url: request.url ?? '',
			headers: request.headers,
			headerNames: request.rawHeaders.filter((_, offset) => offset % 2 === 0),
			body,
			parts: readParts(body, request.headers['content-type']),
		};
		this.requests.push(recorded);
		this.answer(recorded, response, index);
	}
}
