import { createServer, type IncomingMessage } from 'node:http';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { TLSSocket } from 'node:tls';

import { LocalServer } from './localServer.mts';
import {
	respondWithBytes,
	respondWithJson,
	ScriptedServer,
	type RecordedRequest,
	type Responder,
} from './scriptedServer.mts';

/**
 * The key and the certificate of all hosts below, made by `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256
 * -nodes -days 36500 -addext subjectAltName=DNS:*.googleapis.com,...`. Only an n8n that gets {@link AppProxy.environment}
 * trusts it.
 */
const certificatePath = path.resolve(__dirname, 'apps.pem');
const pem = readFileSync(certificatePath);

/** A proxy that pretends to be the hosts of apps on the internet. No request goes further. */
export class AppProxy extends LocalServer {
	private readonly hosts = new Map<string, Responder>();

	protected readonly server = createServer().on('connect', (_request: IncomingMessage, client) => {
		client.write('HTTP/1.1 200 OK\r\n\r\n');
		const decrypted = new TLSSocket(client as Socket, { isServer: true, key: pem, cert: pem });
		const server = connect(this.apps.port, '127.0.0.1');
		decrypted.on('error', () => server.destroy());
		client.on('close', () => server.destroy());
		server.on('error', () => client.destroy());
		server.pipe(decrypted).pipe(server);
	});

	private constructor(private readonly apps: ScriptedServer) {
		super();
		apps.respond = (request, response, index) => {
			const stranger = respondWithBytes('There is no stand-in of this host.', 'text/plain', 502);
			const respond = this.hosts.get(request.headers.host ?? '') ?? stranger;
			return respond(request, response, index);
		};
	}

	static async start(): Promise<AppProxy> {
		const proxy = new AppProxy(await ScriptedServer.start());
		await proxy.listen();
		return proxy;
	}

	/**
	 * Sets the stand-in of an app.
	 *
	 * @param host such as `slack.com`
	 * @param authorization the only value of this header that it accepts, if it has one for all requests
	 * @param answer returns how it responds, or what it sends as JSON
	 */
	setApp(
		host: string,
		authorization: string | undefined,
		answer: (url: URL, request: RecordedRequest) => Responder | object,
	): void {
		this.hosts.set(host, (request, response, index) => {
			const isAllowed =
				authorization === undefined || request.headers.authorization === authorization;
			const url = new URL(request.url, `https://${host}`);
			const answered = isAllowed ? answer(url, request) : respondWithJson({}, 401);
			const respond = typeof answered === 'function' ? answered : respondWithJson(answered);
			return respond(request, response, index);
		});
	}

	/** The variables of an n8n that reaches the stand-ins. */
	get environment(): Record<string, string> {
		return {
			HTTPS_PROXY: this.baseUrl,
			https_proxy: this.baseUrl,
			NODE_EXTRA_CA_CERTS: certificatePath,
		};
	}

	override async stop(): Promise<void> {
		await super.stop();
		await this.apps.stop();
	}
}
