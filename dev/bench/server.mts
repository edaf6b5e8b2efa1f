// The program that startServer.mts starts. It does as little as possible, so that the candidates are measured and not the
// server.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AddressInfo } from 'node:net';

import { createWavBlocks } from './recordings.mts';

/** @returns the size of the body, in bytes */
async function receive(request: IncomingMessage): Promise<number> {
	let bytes = 0;
	// Events are faster than the stream's iterator.
	request.on('data', (chunk: Buffer) => {
		bytes += chunk.length;
	});
	await once(request, 'end');
	return bytes;
}

/**
 * Responds to text to speech with audio, and to any other request with a transcript and the size of the request's body. The
 * first part of the path is the size of the audio.
 */
async function respond(request: IncomingMessage, response: ServerResponse) {
	const received = await receive(request);
	const [, audioBytes, ...path] = (request.url ?? '').split('/');
	if (path.includes('text-to-speech')) {
		response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': audioBytes });
		await pipeline(Readable.from(createWavBlocks(Number(audioBytes))), response);
		return;
	}
	response.writeHead(200, { 'Content-Type': 'application/json' });
	response.end(JSON.stringify({ text: 'What was said.', received }));
}

const [key = '', certificate = ''] = process.argv.slice(2);
const onRequest = (request: IncomingMessage, response: ServerResponse) => {
	respond(request, response).catch(() => response.destroy());
};
const servers = {
	http: createServer(onRequest),
	https: createTlsServer({ key: readFileSync(key), cert: readFileSync(certificate) }, onRequest),
};
const urls: Record<string, string> = {};
for (const [protocol, server] of Object.entries(servers)) {
	// The server keeps idle connections longer than the clients do, so that it closes none while a call is sent.
	server.keepAliveTimeout = 60_000;
	server.requestTimeout = 0;
	await once(server.listen(0, '127.0.0.1'), 'listening');
	urls[protocol] = `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
process.send?.(urls);
