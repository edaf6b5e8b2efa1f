/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What the server does with a connection on which a request has begun to arrive. */
export type Manner = (socket: Socket, request: Buffer) => void;

/** Whether a request has arrived whole: its headers, and as much body as they say. */
export function isWhole(request: Buffer): boolean {
	const end = request.indexOf('\r\n\r\n');
	if (end < 0) return false;
	const head = request.subarray(0, end).toString('latin1');
	const length = /content-length: (\d+)/i.exec(head)?.[1];
	return length === undefined
		? request.subarray(-7).toString() === '\r\n0\r\n\r\n'
		: request.length >= end + 4 + Number(length);
}

/** A server below HTTP, for what no well-behaved one does. */
export class RawServer {
	private readonly server: Server;

	private readonly sockets = new Set<Socket>();

	/** Connections that were made. */
	connections = 0;

	/** Called whenever bytes arrive, with all of this request so far. */
	manner: Manner = () => {};

	/** Where set: chooses the manner for each new connection, when its first bytes arrive. */
	choose: (() => Manner) | undefined;

	/** @param make for a server of another kind than plain TCP */
	constructor(make: (onSocket: (socket: Socket) => void) => Server = createServer) {
		this.server = make((socket) => {
			this.connections++;
			this.sockets.add(socket);
			let request = Buffer.alloc(0);
			let own: Manner | undefined;
			socket.on('data', (bytes: Buffer) => {
				request = Buffer.concat([request, bytes]);
				own ??= this.choose?.();
				(own ?? this.manner)(socket, request);
			});
			socket.on('error', () => {});
			socket.on('close', () => this.sockets.delete(socket));
		});
	}

	async start(): Promise<this> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		return this;
	}

	get port(): number {
		return (this.server.address() as AddressInfo).port;
	}

	get open(): number {
		return this.sockets.size;
	}

	async stop(): Promise<void> {
		for (const socket of this.sockets) socket.destroy();
		await new Promise((resolve) => this.server.close(resolve));
	}
}

/** Once the request is there, says something, and ends the connection in this way. */
export function saying(answer: Buffer | string, end: 'close' | 'reset' | 'keep' = 'close'): Manner {
	return (socket, request) => {
		if (!isWhole(request)) return;
		if (end === 'keep') socket.write(answer);
		else if (end === 'close') socket.end(answer);
		else socket.write(answer, () => socket.resetAndDestroy());
	};
}
