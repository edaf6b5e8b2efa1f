import fastify from 'fastify';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { consoleApi } from './console/api.mjs';
import { consolePage } from './console/page.mjs';
import { gateway, handleCall } from './gateway/gateway.mjs';
import { createSettings } from './settings-store.mjs';
import { createState, DEFAULT_CREDITS } from './state.mjs';

const LOOPBACK = '127.0.0.1';
const DEFAULT_PORT = 8787;
const LONGEST_ADDRESS = 2_000;

/**
 * @typedef {object} Emulator
 * @property {string} baseUrl what a client takes as the service's base URL
 * @property {string} consoleUrl
 * @property {import('./settings.mjs').Settings} settings live: kept up to date, read only
 * @property {(changes: unknown) => import('./settings.mjs').Settings} setSettings changes some
 *   settings while it runs; throws a SettingError and changes nothing where one is impossible
 * @property {(wanted: {environment: 'sandbox' | 'live', scopes: string[], product?: string,
 *   name?: string}) => import('./keys.mjs').KeyRecord & {key: string}} createKey as the console
 * @property {() => Promise<void>} close ends it, with every open connection
 */

/**
 * Starts the emulated service and its console.
 * @param {object} [options]
 * @param {number} [options.port] 0 for a free one
 * @param {string} [options.host] address to listen on
 * @param {unknown} [options.settings] changes to the default settings
 * @param {{sandbox?: number, live?: number}} [options.credits] whole credits to begin with
 * @returns {Promise<Emulator>}
 * @throws {Error} with the code EADDRINUSE and the like, where it cannot listen there
 * @throws {import('./settings-check.mjs').SettingError}
 */
export async function startEmulator({
	port = DEFAULT_PORT,
	host = LOOPBACK,
	settings = {},
	credits = {},
} = {}) {
	const store = createSettings(settings);
	const uploads = await mkdtemp(path.join(tmpdir(), 'voice-speech-emulator-'));
	const state = createState({
		settings: store.current,
		credits: {
			sandbox: credits.sandbox ?? DEFAULT_CREDITS,
			live: credits.live ?? DEFAULT_CREDITS,
		},
		uploads,
	});
	/** @param {unknown} changes */
	const setSettings = (changes) => {
		store.set(changes);
		state.announce('settings', store.current);
		return store.current;
	};

	const server = buildServer(state, host, setSettings);
	server.addHook('onClose', () => rm(uploads, { recursive: true, force: true }));
	try {
		await server.listen({ port, host });
	} catch (error) {
		await server.close();
		throw error;
	}
	const address = /** @type {import('node:net').AddressInfo} */ (server.server.address());
	const baseUrl = `http://${reachableName(host)}:${address.port}`;
	return {
		baseUrl,
		consoleUrl: `${baseUrl}/console`,
		settings: store.current,
		setSettings,
		createKey(wanted) {
			const created = state.keys.create(wanted);
			state.announce('keys', { keys: state.keys.list() });
			return created;
		},
		close: () => server.close(),
	};
}

/**
 * @param {import('./state.mjs').State} state
 * @param {string} host
 * @param {(changes: unknown) => import('./settings.mjs').Settings} setSettings
 */
function buildServer(state, host, setSettings) {
	const server = fastify({
		forceCloseConnections: true,
		// An upload may take as long as it takes.
		requestTimeout: 0,
		routerOptions: { maxParamLength: LONGEST_ADDRESS },
	});
	server.addHook('onRequest', async (_request, reply) => {
		reply.header('x-emulated', 'voice-speech emulator');
	});
	server.register(gateway, { state });
	server.register(consoleApi, { prefix: '/console/api', state, host, setSettings });
	server.register(consolePage);
	server.setNotFoundHandler((request, reply) =>
		// Methods that fastify has no route for, WebDAV's among them, end here.
		request.url.startsWith('/ai/')
			? handleCall(state, request, reply)
			: reply.code(404).send({ error: 'There is nothing at this address.' }),
	);
	return server;
}

/**
 * @param {string} host what it listens on
 * @returns {string} how a client on the same machine calls it
 */
function reachableName(host) {
	if (host === '0.0.0.0' || host === '::') return LOOPBACK;
	return host.includes(':') ? `[${host}]` : host;
}
