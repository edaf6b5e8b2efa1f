import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../../dev/n8n/ports.mjs';
import { startProcess, stopProcess } from '../../../dev/n8n/processes.mjs';
import { until } from '../../../dev/n8n/until.mjs';

/**
 * A running S3-compatible server with one bucket. It checks the signatures of requests that have one.
 * @typedef {object} ObjectStore
 * @property {string} url
 * @property {string} accessKey also the secret key
 * @property {(key: string, body: Buffer | string) => Promise<void>} put
 * @property {(key: string) => Promise<string | undefined>} get nothing if there is no such object
 * @property {() => Promise<void>} stop
 */

const program = createRequire(import.meta.url).resolve('s3rver/bin/s3rver.js');

/**
 * @param {string} bucket
 * @returns {Promise<ObjectStore>}
 */
export async function startObjectStore(bucket) {
	const folder = await mkdtemp(path.join(tmpdir(), 'voice-speech-bucket-'));
	const port = await freePort();
	const options = { '--address': '127.0.0.1', '--port': `${port}`, '--directory': folder };
	const server = startProcess(
		process.execPath,
		[program, ...Object.entries(options).flat(), '--configure-bucket', bucket],
		{ stdio: 'ignore' },
	);
	const url = `http://127.0.0.1:${port}`;
	const isUp = async () => await fetch(url).catch(() => undefined);
	await until(isUp, 30_000, () => 'The S3 server is not up');

	/** @param {string} key @param {RequestInit} [request] */
	const send = async (key, request) => {
		const encoded = key.split('/').map(encodeURIComponent).join('/');
		// The server closes connections after five seconds: one that is used again may close at that moment.
		const headers = { connection: 'close' };
		return await fetch(`${url}/${bucket}/${encoded}`, { ...request, headers });
	};
	return {
		url,
		accessKey: 'S3RVER',
		put: async (key, body) => {
			const { ok, status } = await send(key, { method: 'PUT', body });
			if (!ok) throw new Error(`The S3 server responded with ${status} to ${key}`);
		},
		get: async (key) => {
			const response = await send(key);
			return response.ok ? await response.text() : undefined;
		},
		stop: async () => {
			await stopProcess(server, 5_000);
			await rm(folder, { recursive: true, force: true });
		},
	};
}
