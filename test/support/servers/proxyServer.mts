import { createServer, request as sendRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';

import { LocalServer } from './localServer.mts';

/** A proxy that wants a login. It opens tunnels (CONNECT), and forwards requests to http addresses. */
export class ProxyServer extends LocalServer {
	/** The user and the password that it accepts. */
	login = { user: '', password: '' };

	/** What was asked for with the right login, such as `CONNECT localhost:443`. */
	accepted: string[] = [];

	protected readonly server = createServer((request, response) => {
		if (!this.accepts(request)) {
			response.writeHead(407).end();
			return;
		}
		const { method, headers } = request;
		const forwarded = sendRequest(request.url!, { method: method!, headers }, (answer) => {
			response.writeHead(answer.statusCode!, answer.headers);
			answer.on('error', () => response.destroy());
			answer.pipe(response);
		});
		// The service may close the connection while the request still arrives.
		forwarded.on('error', () => response.destroy());
		request.pipe(forwarded);
	}).on('connect', (request: IncomingMessage, client) => {
		if (!this.accepts(request)) {
			client.end('HTTP/1.1 407 Login\r\nContent-Length: 0\r\n\r\n');
			return;
		}
		const [host, port] = request.url!.split(':');
		const server = connect(Number(port), host, () => {
			client.write('HTTP/1.1 200 OK\r\n\r\n');
			server.pipe(client).pipe(server);
		});
		server.on('error', () => client.destroy());
		client.on('error', () => server.destroy());
	});

	private accepts({ method, url, headers }: IncomingMessage): boolean {
		const { user, password } = this.login;
		const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
		if (headers['proxy-authorization'] !== expected) return false;
		this.accepted.push(`${method} ${url}`);
		return true;
	}

	/** A proxy for the tests of a describe; before each, it forgets what it has accepted. */
	static use(): ProxyServer {
		const proxy = new ProxyServer();
		return proxy.serve(() => {
			proxy.accepted = [];
		});
	}

	/** Its address, with a login as it is written in a URL. */
	getAddress(user: string, password: string): string {
		return `http://${user}:${password}@127.0.0.1:${this.port}`;
	}
}
