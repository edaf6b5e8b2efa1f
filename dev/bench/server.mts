// The process of service.mts: it counts what arrives, and does as little else as possible.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer as createTcpServer } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { wavBlocks } from './wav.mts';
import type { Server, Socket } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** What the server has seen since the counts were taken last. */
export interface Counts {
	/** POST requests that arrived completely */
	calls: number;
	/** of their bodies */
	bytes: number;
	/** highest number of simultaneous calls */
	mostCalls: number;
	/** highest number of open connections */
	mostConnections: number;
	/** that were opened */
	connections: number;
	/** sha256 of the file that came last, if the setting `hash` is on */
	hash: string;
}

let [openCalls, openConnections] = [0, 0];

const newCounts = (): Counts => ({
	...{ calls: 0, bytes: 0, connections: 0, hash: '' },
	...{ mostCalls: openCalls, mostConnections: openConnections },
});

let counts = newCounts();

/** Changed by the bench from case to case. */
const settings = { hash: false, speechBytes: 4_096 };

const transcript = JSON.stringify({ text: 'What was said.', language: 'en', duration: 1.5 });

async function onConnection(socket: Socket) {
	openConnections++;
	counts.connections++;
	socket.once('close', () => openConnections--);
	// Node reports new connections first, and needs some turns of the event loop until one that its client has ended
	// is closed here.
	for (let turn = 0; turn < 4; turn++) await nextTurn();
	counts.mostConnections = Math.max(counts.mostConnections, openConnections);
}

/** @returns sha256 of the first file of a multipart body */
function fileHash(body: Buffer, contentType: string): string {
	const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1];
	if (boundary === undefined) return '';
	const start = body.indexOf('\r\n\r\n', body.indexOf('filename=')) + 4;
	const file = body.subarray(start, body.indexOf(`\r\n--${boundary}`, start));
	return createHash('sha256').update(file).digest('hex');
}

async function receive(request: IncomingMessage) {
	const chunks: Buffer[] = [];
	let bytes = 0;
	// Events, which are faster than the stream's iterator.
	request.on('data', (chunk: Buffer) => {
		bytes += chunk.length;
		if (settings.hash) chunks.push(chunk);
	});
	await once(request, 'end');
	counts.calls++;
	counts.bytes += bytes;
	const type = request.headers['content-type'] ?? '';
	if (settings.hash) counts.hash = fileHash(Buffer.concat(chunks), type);
}

/** @param request a GET for a recording, or a POST to one of the service's paths */
async function respond(request: IncomingMessage, response: ServerResponse) {
	const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
	const isDownload = request.method === 'GET';
	if (!isDownload) {
		counts.mostCalls = Math.max(counts.mostCalls, ++openCalls);
		response.once('close', () => openCalls--);
		await receive(request);
	}
	if (isDownload || pathname.endsWith('/text-to-speech')) {
		const size = isDownload ? Number(searchParams.get('size')) : settings.speechBytes;
		response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': size });
		if (size < 100_000) response.end(Buffer.concat([...wavBlocks(size)]));
		else await pipeline(Readable.from(wavBlocks(size)), response);
		return;
	}
	const headers = { 'Content-Type': 'application/json', 'Content-Length': transcript.length };
	response.writeHead(200, headers).end(transcript);
}

async function forward(from: Socket, to: Socket, bytesPerSecond: number) {
	to.once('close', () => from.destroy());
	let free = 0;
	for await (const chunk of from) {
		if (!to.write(chunk)) await once(to, 'drain');
		free = Math.max(free, performance.now()) + (chunk.length / bytesPerSecond) * 1_000;
		await sleep(free - performance.now());
	}
	to.end();
}

/** @returns its port */
async function listen(server: Server): Promise<number> {
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const address = server.address();
	return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

const [key = '', certificate = '', slowRate = ''] = process.argv.slice(2);
const tls = { key: readFileSync(key), cert: readFileSync(certificate) };
const onRequest = (request: IncomingMessage, response: ServerResponse) =>
	void respond(request, response).catch(() => response.destroy());
const servers = { http: createServer(onRequest), https: createTlsServer(tls, onRequest) };
for (const server of Object.values(servers)) {
	// A client that keeps a connection for its next call closes it itself.
	server.keepAliveTimeout = 60_000;
	server.requestTimeout = 0;
	server.on('connection', (socket) => void onConnection(socket));
}
const [http, https] = [await listen(servers.http), await listen(servers.https)];
const slowLine = createTcpServer({ allowHalfOpen: true }, (client) => {
	const server = connect({ port: https, host: '127.0.0.1', allowHalfOpen: true });
	for (const [from, to] of [
		[client, server],
		[server, client],
	] as [Socket, Socket][]) {
		forward(from, to, Number(slowRate)).catch(() => from.destroy());
	}
});

process.on('message', (changes: Partial<typeof settings>) => {
	Object.assign(settings, changes);
	process.send?.(counts);
	counts = newCounts();
});
process.once('disconnect', () => process.exit());
process.send?.({ http, https, slow: await listen(slowLine) });
