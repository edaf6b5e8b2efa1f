import { createServer, type IncomingMessage } from 'node:http';
import { readFileSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { TLSSocket } from 'node:tls';

import { respondWithBytes, ScriptedServer, type Responder } from './scriptedServer.mts';

/**
 * The key and the certificate of all hosts below, made by `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256
 * -nodes -days 36500 -addext subjectAltName=DNS:*.googleapis.com,...`. Only an n8n that gets {@link AppProxy.environment}
 * trusts it.
 */
const certificatePath = path.resolve(__dirname, 'apps.pem');
const pem = readFileSync(certificatePath);

/** A proxy that pretends to be the hosts of apps on the internet. No request goes further. */
export class AppProxy {
	/** The stand-ins of apps by their hosts, such as `slack.com`. */
	readonly hosts = new Map<string, Responder>();

	private readonly proxy = createServer().on('connect', (_request: IncomingMessage, client) => {
		client.write('HTTP/1.1 200 OK\r\n\r\n');
		const decrypted = new TLSSocket(client as Socket, { isServer: true, key: pem, cert: pem });
		const server = connect(Number(new URL(this.server.baseUrl).port), '127.0.0.1');
		decrypted.on('error', () => server.destroy());
		client.on('close', () => server.destroy());
		server.on('error', () => client.destroy());
		server.pipe(decrypted).pipe(server);
	});

	private constructor(private readonly server: ScriptedServer) {
		server.respond = (request, response, index) => {
			const stranger = respondWithBytes('There is no stand-in of this host.', 'text/plain', 502);
			const respond = this.hosts.get(request.headers.host ?? '') ?? stranger;
			return respond(request, response, index);
		};
	}

	static async start(): Promise<AppProxy> {
		const proxy = new AppProxy(await ScriptedServer.start());
		await new Promise<void>((resolve) => proxy.proxy.listen(0, '127.0.0.1', resolve));
		return proxy;
	}

	/** The variables of an n8n that reaches the stand-ins. */
	get environment(): Record<string, string> {
		const { port } = this.proxy.address() as AddressInfo;
		const address = `http://127.0.0.1:${port}`;
		return {
			HTTPS_PROXY: address,
			https_proxy: address,
			NODE_EXTRA_CA_CERTS: certificatePath,
		};
	}

	async stop(): Promise<void> {
		this.proxy.closeAllConnections();
		this.proxy.close();
		await this.server.stop();
	}
}
