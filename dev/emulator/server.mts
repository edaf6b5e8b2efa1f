import fastify from 'fastify';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { serveConsoleApi } from './console/api.mts';
import { serveConsolePage } from './console/page.mts';
import { serveEndpoints } from './endpoints.mts';
import { createState } from './state.mts';
import { openStorage } from './storage.mts';

/**
 * Starts the emulated service and its console in this process.
 *
 * @param port 0 for any free port
 * @param host address to listen on
 * @param folder where to keep keys, voices and wallets; undefined to keep them in memory
 * @returns the service's base URL for clients on this machine, and `close`, which also ends open connections
 * @throws {Error} with a code such as EADDRINUSE if it cannot listen there
 * @throws {UserFacingError} if it cannot use the folder, or its file is damaged
 */
export async function startEmulator(port: number, host: string, folder?: string) {
	const storage = await openStorage(folder);
	const uploads = await mkdtemp(path.join(tmpdir(), 'voice-speech-emulator-'));
	const state = createState(storage.saved, uploads, () => storage.save());
	const server = fastify({
		forceCloseConnections: true,
		// The time is not limited, because a large upload is slow on a slow connection.
		requestTimeout: 0,
		ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
	});
	server.addHook('onRequest', async (_request, reply) => {
		reply.header('x-emulated', 'voice-speech emulator');
	});
	server.addHook('onClose', async () => {
		await rm(uploads, { recursive: true, force: true });
		await storage.close();
	});
	server.register(serveEndpoints, { state });
	server.register(serveConsoleApi, { prefix: '/console/api', state, host });
	server.register(serveConsolePage);
	server.setNotFoundHandler((_request, reply) =>
		reply.code(404).send({ error: 'Nothing has this address.' }),
	);
	const baseUrl = await server.listen({ port, host }).catch(async (error: unknown) => {
		await server.close();
		throw error;
	});
	return { baseUrl, close: async () => await server.close() };
}
