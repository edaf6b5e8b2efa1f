import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A server of a test, on a port of this machine that the system chooses. */
export abstract class LocalServer {
	protected abstract readonly server: Server;

	/** The open connections. */
	protected readonly sockets = new Set<Socket>();

	async listen(): Promise<void> {
		this.server.on('connection', (socket: Socket) => {
			this.sockets.add(socket);
			socket.on('error', () => {});
			socket.on('close', () => this.sockets.delete(socket));
		});
		await once(this.server.listen(0, '127.0.0.1'), 'listening');
	}

	async stop(): Promise<void> {
		const closed = new Promise((resolve) => this.server.close(resolve));
		for (const socket of this.sockets) socket.destroy();
		await closed;
	}

	/** Runs for the tests of a describe; this function is called before each of them. */
	protected serve(reset: () => void): this {
		beforeAll(async () => await this.listen());
		afterAll(async () => await this.stop());
		beforeEach(reset);
		return this;
	}

	get port(): number {
		return (this.server.address() as AddressInfo).port;
	}

	get baseUrl(): string {
		return `http://127.0.0.1:${this.port}`;
	}
}
