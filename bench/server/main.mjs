// The service that all candidates talk to: it counts what arrives, and does as little else as it can.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { wavBlocks } from '../wav.mjs';
import { FileHash } from './multipart.mjs';
import { Counter } from './tally.mjs';

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('node:http').ServerResponse} Response */

const counter = new Counter();

/** What the server does with a call; set by the bench from case to case. */
const settings = { hash: false, speechBytes: 4_096 };

const transcript = JSON.stringify({ text: 'What was said.', language: 'en', duration: 1.5 });

/** @param {Request} request */
async function receive(request) {
	const hash = settings.hash
		? new FileHash(String(request.headers['content-type'] ?? ''))
		: undefined;
	let bytes = 0;
	await new Promise((resolve, reject) => {
		request.on('data', (/** @type {Buffer} */ chunk) => {
			bytes += chunk.length;
			hash?.update(chunk);
		});
		request.once('end', resolve);
		request.once('error', reject);
	});
	counter.tally.calls++;
	counter.tally.bytes += bytes;
	if (hash) counter.tally.hash = hash.digest();
}

/**
 * @param {Response} response
 * @param {number} size in bytes
 */
async function speak(response, size) {
	response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': size });
	if (size < 100_000) response.end(Buffer.concat([...wavBlocks(size)]));
	else await pipeline(Readable.from(wavBlocks(size)), response);
}

/**
 * @param {Request} request
 * @param {Response} response
 */
async function answer(request, response) {
	const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
	if (request.method === 'GET') {
		await speak(response, Number(searchParams.get('size')));
		return;
	}
	counter.begin();
	response.once('close', () => counter.end());
	await receive(request);
	if (pathname.endsWith('/text-to-speech')) {
		await speak(response, settings.speechBytes);
		return;
	}
	response.writeHead(200, {
		'Content-Type': 'application/json',
		'Content-Length': Buffer.byteLength(transcript),
	});
	response.end(transcript);
}

const server = createServer((request, response) => {
	answer(request, response).catch(() => response.destroy());
});
// A connection that a client keeps for its next call is the client's to close.
server.keepAliveTimeout = 60_000;
server.requestTimeout = 0;
server.on('connection', (socket) => counter.connected(socket));

process.on('message', (/** @type {{id: number, settings?: object}} */ message) => {
	Object.assign(settings, message.settings);
	process.send?.({ id: message.id, tally: counter.take() });
});
process.once('disconnect', () => process.exit());

server.listen(0, '127.0.0.1', () => {
	const address = server.address();
	process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
});
