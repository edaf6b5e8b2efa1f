import fastify from 'fastify';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { consoleApi } from './console/api.mjs';
import { consolePage } from './console/page.mjs';
import { serviceEndpoints } from './http/plugin.mjs';
import { changeSettings, DEFAULT_SETTINGS } from './settings.mjs';
import { createState } from './state.mjs';
import { openStorage } from './storage.mjs';

export const DEFAULT_PORT = 8787;
const DEFAULT_CREDITS = 10_000;

/**
 * @typedef {object} Emulator
 * @property {string} baseUrl the service's base URL for clients on this machine
 * @property {string} consoleUrl
 * @property {import('./settings.mjs').Settings} settings always current, read only
 * @property {import('./state.mjs').SavedState['wallets']} wallets credits, always current, read only
 * @property {(changes: import('./settings.mjs').SettingChanges) => void} setSettings
 * @property {(wanted: import('./keys.mjs').WantedKey) =>
 *   import('./keys.mjs').KeyRecord & {key: string}} createKey
 * @property {(key: string) => boolean} acceptsKey whether the key was issued and is not revoked
 * @property {(voiceId?: string) => boolean} hasVoice whether the voice was cloned
 * @property {() => Promise<void>} close ends it, and every open connection
 */

/**
 * Starts the emulated service and its console.
 * @param {object} [options]
 * @param {number} [options.port] 0 for any free port
 * @param {string} [options.host] address to listen on
 * @param {string} [options.folder] where to keep keys, voices and wallets; default: in memory
 * @param {import('./settings.mjs').SettingChanges} [options.settings]
 * @param {{sandbox?: number, live?: number}} [options.credits] whole credits in the wallets, unless
 *   the folder has other balances
 * @returns {Promise<Emulator>}
 * @throws {Error} with a code such as EADDRINUSE if it cannot listen there
 * @throws {import('../n8n/problem.mjs').Problem} if it cannot use the folder, or its file is damaged
 */
export async function startEmulator({
	port = DEFAULT_PORT,
	host = '127.0.0.1',
	folder,
	settings: changes = {},
	credits = {},
} = {}) {
	const settings = structuredClone(DEFAULT_SETTINGS);
	changeSettings(settings, changes);
	/** @type {Awaited<ReturnType<typeof openStorage<import('./state.mjs').SavedState>>>} */
	const storage = await openStorage(folder);
	const saved = storage.saved ?? {
		keys: [],
		voices: [],
		wallets: { sandbox: DEFAULT_CREDITS, live: DEFAULT_CREDITS, ...credits },
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
		settings,
		wallets: saved.wallets,
		setSettings(newChanges) {
			changeSettings(settings, newChanges);
			state.announce('settings', settings);
		},
		createKey(wanted) {
			const created = state.keys.create(wanted);
			state.announce('keys', { keys: state.keys.list() });
			void save();
			return created;
		},
		acceptsKey: (key) => state.keys.find(key)?.refused === false,
		hasVoice: (voiceId) => state.voices.some((voice) => voice.voiceId === voiceId),
		async close() {
			await server.close();
			await save();
			await storage.close();
		},
	};
}

/**
 * @param {import('./state.mjs').State} state
 * @param {string} host
 */
function buildServer(state, host) {
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
