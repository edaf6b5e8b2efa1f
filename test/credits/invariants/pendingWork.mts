import { createHook } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

const clientChannel = 'net.client.socket';
const serverChannel = 'net.server.socket';

/** What the hook gets for `setTimeout`, with two of Node's own properties. */
interface Timer extends NodeJS.Timeout {
	/** In ms. */
	_idleTimeout: number;
	_destroyed: boolean;
}

/** n8n's timeouts of requests are longer. */
const maxShortTimerMs = 10;

/** What will happen in this process by itself. Both ends of its connections are in it. */
export class PendingWork {
	/** The ends of the connections, by the port of the client. */
	private readonly clients = new Map<number, Socket>();

	private readonly servers = new Map<number, Socket>();

	private readonly connecting = new Set<Socket>();

	private readonly shortTimers = new Set<Timer>();

	private readonly timerHook = createHook({
		init: (_id, type, _trigger, resource) => {
			if (type !== 'Timeout') return;
			const timer = resource as Timer;
			if (timer._idleTimeout <= maxShortTimerMs) this.shortTimers.add(timer);
		},
	});

	constructor() {
		subscribe(clientChannel, this.addClient);
		subscribe(serverChannel, this.addServer);
		this.timerHook.enable();
	}

	/** Whether something that was sent has not arrived yet, or a short timer will end. */
	get exists(): boolean {
		return !this.areConnectionsIdle() || this.hasShortTimer();
	}

	stop(): void {
		unsubscribe(clientChannel, this.addClient);
		unsubscribe(serverChannel, this.addServer);
		this.timerHook.disable();
	}

	/** Whether everything that one end sent has arrived at the other, its end included. */
	private areConnectionsIdle(): boolean {
		if (this.connecting.size > 0 || this.clients.size !== this.servers.size) return false;
		return [...this.clients].every(([port, client]) => {
			const server = this.servers.get(port);
			return client.bytesWritten === server?.bytesRead && server.bytesWritten === client.bytesRead;
		});
	}

	/** Timers that do not keep the process alive do not count. The node uses them for back-offs and batches. */
	private hasShortTimer(): boolean {
		for (const timer of this.shortTimers) {
			if (timer._destroyed || !timer.hasRef()) this.shortTimers.delete(timer);
		}
		return this.shortTimers.size > 0;
	}

	private readonly addClient = (message: unknown) => {
		const { socket } = message as { socket: Socket };
		this.connecting.add(socket);
		socket.once('connect', () => {
			this.connecting.delete(socket);
			this.addEnd(this.clients, socket.localPort!, socket);
		});
		socket.once('close', () => this.connecting.delete(socket));
	};

	private readonly addServer = (message: unknown) => {
		const { socket } = message as { socket: Socket };
		this.addEnd(this.servers, socket.remotePort!, socket);
	};

	private addEnd(ends: Map<number, Socket>, port: number, socket: Socket): void {
		ends.set(port, socket);
		socket.once('close', () => ends.delete(port));
	}
}
