import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { Duplex, PassThrough } from 'node:stream';
import { TLSSocket } from 'node:tls';

import { LocalServer } from './localServer.mts';

/** Called whenever bytes arrive on a connection, with all that arrived on it so far. */
export type RawResponder = (
	socket: Socket,
	received: Buffer,
	/** The number of the connection, from 0, and the TCP socket below TLS, which sends unencrypted bytes. */
	connection: { index: number; tcp: Socket },
) => void;

/** Whether a request has all its headers, and as much body as they declare. */
export function isComplete(request: Buffer): boolean {
	const end = request.indexOf('\r\n\r\n');
	if (end < 0) return false;
	const head = request.subarray(0, end).toString('latin1');
	const length = /content-length: (\d+)/i.exec(head)?.[1] ?? 0;
	return request.length >= end + 4 + Number(length);
}

/** Sends these bytes once the request is complete, and ends the connection in this way. */
export function respondWithRawBytes(
	bytes: Buffer | string,
	ending: 'close' | 'reset' | 'keep' = 'close',
): RawResponder {
	return (socket, request) => {
		if (!isComplete(request)) return;
		if (ending === 'keep') socket.write(bytes);
		else if (ending === 'close') socket.end(bytes);
		else socket.write(bytes, () => socket.resetAndDestroy());
	};
}

/** A certificate that clients refuse, and its key. */
const pem = readFileSync(path.resolve(__dirname, 'localhost.pem'));

/** A TLS server would take the TCP socket, which then could not send unencrypted bytes. So this decrypts without one. */
function decrypt(tcp: Socket): Socket {
	const readable = new PassThrough();
	const writable = new PassThrough();
	tcp.pipe(readable);
	writable.pipe(tcp);
	const encrypted = Duplex.from({ readable, writable }) as Socket;
	const socket = new TLSSocket(encrypted, { isServer: true, key: pem, cert: pem });
	socket.on('error', () => {});
	tcp.on('close', () => socket.destroy());
	return socket;
}

/** A server for what no HTTP server would send. It responds with raw bytes, with or without TLS. */
export class RawServer extends LocalServer {
	respond: RawResponder = () => {};

	connections = 0;

	protected readonly server = createServer((socket) => this.accept(socket));

	private constructor(private readonly tls: boolean) {
		super();
	}

	/** A server for the tests of a describe; before each, it forgets its connections and its responder. */
	static use({ tls = false } = {}): RawServer {
		const raw = new RawServer(tls);
		return raw.serve(() => Object.assign(raw, { connections: 0, respond: () => {} }));
	}

	/** With the name localhost for TLS: older versions of n8n send an IP address as TLS server name too. */
	override get baseUrl(): string {
		return this.tls ? `https://localhost:${this.port}` : super.baseUrl;
	}

	get openConnections(): number {
		return this.sockets.size;
	}

	private accept(tcp: Socket): void {
		const index = this.connections;
		this.connections++;
		const socket = this.tls ? decrypt(tcp) : tcp;
		let received = Buffer.alloc(0);
		let respond: RawResponder | undefined;
		socket.on('data', (bytes: Buffer) => {
			received = Buffer.concat([received, bytes]);
			// A responder that is set later does not concern connections in use.
			respond ??= this.respond;
			respond(socket, received, { index, tcp });
		});
	}
}
