import fastify from 'fastify';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { consoleApi } from './console/api.mts';
import { consolePage } from './console/page.mts';
import { serviceEndpoints } from './http/plugin.mts';
import { defaultSettings } from './settings.mts';
import { createState } from './state.mts';
import { openStorage } from './storage.mts';
import type { State } from './state.mts';

export const defaultPort = 8787;
const defaultCredits = 10_000;

export interface Emulator {
	/** The service's base URL for clients on this machine. */
	baseUrl: string;
	consoleUrl: string;
	/** Ends it, and every open connection. */
	close: () => Promise<void>;
}

export interface EmulatorOptions {
	/** 0 for any free port */
	port?: number;
	/** Address to listen on. */
	host?: string;
	/** Where to keep keys, voices and wallets; default: in memory. */
	folder?: string;
}

/**
 * Starts the emulated service and its console.
 * @throws {Error} with a code such as EADDRINUSE if it cannot listen there
 * @throws {Problem} if it cannot use the folder, or its file is damaged
 */
export async function startEmulator({
	port = defaultPort,
	host = '127.0.0.1',
	folder,
}: EmulatorOptions = {}): Promise<Emulator> {
	const settings = structuredClone(defaultSettings);
	const storage = await openStorage(folder);
	const saved = storage.saved ?? {
		keys: [],
		voices: [],
		wallets: { sandbox: defaultCredits, live: defaultCredits },
	};
	const save = async () =>
		await storage.save(saved).catch((error) => {
			console.error(`The emulator cannot save its keys, voices and wallets: ${error.message}`);
		});
	const uploads = await mkdtemp(path.join(tmpdir(), 'voice-speech-emulator-'));
	const state = createState(saved, settings, uploads);
	const server = buildServer(state, host);
	// Saved before the response leaves: a client never has a voice_id that a crash makes unknown.
	server.addHook('onSend', save);
	server.addHook('onClose', () => rm(uploads, { recursive: true, force: true }));
	const baseUrl = await server.listen({ port, host }).catch(async (error) => {
		await server.close();
		await storage.close();
		throw error;
	});
	return {
		baseUrl,
		consoleUrl: `${baseUrl}/console`,
		async close() {
			await server.close();
			await save();
			await storage.close();
		},
	};
}

function buildServer(state: State, host: string) {
	const server = fastify({
		forceCloseConnections: true,
		// A large upload on a slow connection takes long.
		requestTimeout: 0,
		ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
	});
	server.addHook('onRequest', async (_request, reply) => {
		reply.header('x-emulated', 'voice-speech emulator');
	});
	server.register(serviceEndpoints, { state });
	server.register(consoleApi, { prefix: '/console/api', state, host });
	server.register(consolePage);
	server.setNotFoundHandler((_request, reply) =>
		reply.code(404).send({ error: 'Nothing has this address.' }),
	);
	return server;
}
