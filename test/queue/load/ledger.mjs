import { createServer, request } from 'node:http';
import { recordingIn } from './recordings.mjs';

/**
 * A call as the service saw it.
 * @typedef {object} LedgerEntry
 * @property {string} recording which recording it was about, like `run-17`
 * @property {string} operation last part of the path: `speech-to-text`
 * @property {number} status of the answer; 0 while it is not there
 * @property {number} at when the whole of it had arrived, in milliseconds since 1970
 */

/**
 * A proxy in front of the emulator that records which recording each call was about: the emulator's own
 * usage counts calls, but cannot distinguish a repeated call from two calls.
 * @param {string} target the emulator's base URL
 * @param {LedgerEntry[]} entries where it writes
 * @returns {import('node:http').Server} not listening yet
 */
export function createLedger(target, entries) {
	const server = createServer(async (incoming, outgoing) => {
		/** @type {Buffer[]} */
		const chunks = [];
		try {
			for await (const chunk of incoming) chunks.push(chunk);
		} catch {
			// Broken off before all of it was there: the emulator gets the same beginning and no call from it.
			return;
		}
		const body = Buffer.concat(chunks);
		/** @type {LedgerEntry} */
		const entry = {
			recording: recordingIn(body.toString('latin1')),
			operation: incoming.url?.split('/').at(-1) ?? '',
			status: 0,
			at: Date.now(),
		};
		entries.push(entry);
		const { 'transfer-encoding': _none, ...headers } = incoming.headers;
		const upstream = request(
			new URL(incoming.url ?? '/', target),
			{ method: incoming.method, headers: { ...headers, 'content-length': body.length } },
			(answer) => {
				entry.status = answer.statusCode ?? 0;
				outgoing.writeHead(entry.status, answer.headers);
				answer.pipe(outgoing);
			},
		);
		upstream.once('error', () => outgoing.destroy());
		upstream.end(body);
	});
	server.requestTimeout = 0;
	return server;
}
