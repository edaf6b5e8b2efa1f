/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

import { selfSigned } from '../credits/selfSigned';
import { RawServer, type Manner } from './rawServer';

/**
 * A TLS server behind a relay that can put bytes of its own on the wire: faults of TLS that occur after the handshake.
 */
export class TlsRelay {
	/** What the server receives, decrypted. */
	readonly server = new RawServer((take) => createTlsServer(selfSigned, take));

	private readonly relay: Server = createServer((client) => this.accept(client));

	/** The connection to each client, by the port from which the relay calls the server for it. */
	private readonly clients = new Map<number, Socket>();

	async start(): Promise<this> {
		await this.server.start();
		this.relay.listen(0, '127.0.0.1');
		await once(this.relay, 'listening');
		return this;
	}

	get baseUrl(): string {
		return `https://localhost:${(this.relay.address() as AddressInfo).port}`;
	}

	/** The client that this connection of the server belongs to: what is written to it bypasses the encryption. */
	clientOf(connection: Socket): Socket | undefined {
		return this.clients.get(connection.remotePort ?? 0);
	}

	set manner(manner: Manner) {
		this.server.manner = manner;
	}

	async stop(): Promise<void> {
		for (const client of this.clients.values()) client.destroy();
		await this.server.stop();
		await new Promise((resolve) => this.relay.close(resolve));
	}

	private accept(client: Socket): void {
		const backend = connect(this.server.port, '127.0.0.1');
		backend.once('connect', () => this.clients.set(backend.localPort ?? 0, client));
		client.pipe(backend).pipe(client);
		for (const socket of [client, backend]) {
			socket.on('error', () => {});
			socket.on('close', () => [client, backend].forEach((one) => one.destroy()));
		}
	}
}
