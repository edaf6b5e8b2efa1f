import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { waitUntil } from '../../../dev/lib/waitUntil.mts';
import { LocalServer } from './localServer.mts';
import { readParts, computeSha256, type Part } from './multipart.mts';

export { computeSha256, type Part };

export interface RecordedRequest {
	method: string;
	url: string;
	headers: IncomingMessage['headers'];
	/** As they were sent, with duplicates. */
	headerNames: string[];
	body: Buffer;
	parts: Part[];
}

/** Responds to a request; `index` counts the requests from 0. The server awaits what it returns. */
export type Responder = (
	request: RecordedRequest,
	response: ServerResponse,
	index: number,
) => unknown;

export function respondWithJson(
	body: unknown,
	status = 200,
	headers: Record<string, string> = {},
): Responder {
	return (_request, response) => {
		response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
		response.end(JSON.stringify(body));
	};
}

const respondWithEmptyJson = respondWithJson({});

/** Responds to each request with the next of these responders, and to all later ones with the last. */
export function respondInTurn(...responders: Responder[]): Responder {
	return (request, response, index) => {
		const respond = responders[Math.min(index, responders.length - 1)];
		return respond?.(request, response, index);
	};
}

/** Sends bytes with a Content-Type, or without one. */
export function respondWithBytes(
	body: Buffer | string,
	contentType: string | undefined,
	status = 200,
): Responder {
	return (_request, response) => {
		response.writeHead(status, contentType === undefined ? {} : { 'Content-Type': contentType });
		response.end(body);
	};
}

/** Sends the rest of WAV audio from this offset on once the promise of `wait` is fulfilled. */
export function respondInTwoParts(
	audio: Buffer,
	offset: number,
	wait: () => Promise<unknown>,
): Responder {
	return async (_request, response) => {
		response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': audio.length });
		response.write(audio.subarray(0, offset));
		await wait();
		response.end(audio.subarray(offset));
	};
}

/**
 * The service, a source of audio or a proxy in tests. It records requests, and responds as the test specifies.
 * rawServer.ts is for responses that are not valid HTTP.
 */
export class ScriptedServer extends LocalServer {
	readonly requests: RecordedRequest[] = [];

	/** Requests whose headers have arrived. {@link requests} has those whose body is complete. */
	requestCount = 0;

	private readonly open = new Set<ServerResponse>();

	get inProgress(): number {
		return this.open.size;
	}

	maxInProgress = 0;

	respond = respondWithEmptyJson;

	/** What responders threw. Their responses are destroyed, because a request without an end would outlast its test. */
	private errors: unknown[] = [];

	/** Handles a request before its body is read; false leaves it to {@link respond}. */
	intercept:
		| ((request: IncomingMessage, response: ServerResponse, index: number) => boolean)
		| undefined;

	/** Uploads may take any time. */
	protected readonly server = createServer(
		{ requestTimeout: 0 },
		(request, response) => void this.receive(request, response),
	);

	static async start(respond = respondWithEmptyJson): Promise<ScriptedServer> {
		const server = new ScriptedServer();
		server.respond = respond;
		await server.listen();
		return server;
	}

	/**
	 * Starts a server for the tests of a describe. Resets its recorded requests and its response before each test, and fails
	 * a test whose responder failed.
	 */
	static use(respond = respondWithEmptyJson): ScriptedServer {
		const server = new ScriptedServer();
		afterEach(() => expect(server.errors).toEqual([]));
		return server.serve(() => server.reset(respond));
	}

	/** Forgets the recorded requests, and responds like a new server. */
	reset(respond = respondWithEmptyJson): void {
		this.requests.length = 0;
		this.requestCount = 0;
		// A responder of an earlier test keeps the list of that test.
		this.errors = [];
		// Requests of an earlier test may still be open.
		this.maxInProgress = this.inProgress;
		this.intercept = undefined;
		this.respond = respond;
	}

	/** Ends the requests that an earlier test left open. */
	async endRequests(): Promise<void> {
		for (const response of this.open) response.destroy();
		await waitUntil(() => this.inProgress === 0);
	}

	private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { errors, requestCount: index } = this;
		this.requestCount++;
		this.open.add(response);
		this.maxInProgress = Math.max(this.maxInProgress, this.inProgress);
		response.on('close', () => this.open.delete(response));
		request.on('error', () => {});
		if (this.intercept?.(request, response, index) === true) return;
		const chunks: Buffer[] = [];
		try {
			for await (const chunk of request) chunks.push(chunk as Buffer);
		} catch {
			return; // The client has ended the connection.
		}
		const body = Buffer.concat(chunks);
		const { method = '', url = '', headers, rawHeaders } = request;
		const headerNames = rawHeaders.filter((_, offset) => offset % 2 === 0);
		const parts = readParts(body, headers['content-type']);
		const recorded = { method, url, headers, headerNames, body, parts };
		this.requests.push(recorded);
		try {
			await this.respond(recorded, response, index);
		} catch (error) {
			errors.push(error);
			response.destroy();
		}
	}
}
