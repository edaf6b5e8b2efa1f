import { SettingError } from '../settings-check.mjs';
import { SCOPES } from '../operations.mjs';
import { SETTING_OPTIONS } from '../settings.mjs';
import { streamEvents } from './events.mjs';
import { InputError, readBalance, readEnvironment, readWantedKey } from './input.mjs';
import { isOwnOrigin } from './origin.mjs';

/**
 * The console's own API as a fastify plugin, below /console/api; README.md lists it. All of it is
 * the emulator's own choice: the interface document only says that a console exists.
 * @param {import('fastify').FastifyInstance} server
 * @param {{state: import('../state.mjs').State, host: string,
 *   setSettings: (changes: unknown) => import('../settings.mjs').Settings}} options
 */
export async function consoleApi(server, { state, host, setSettings }) {
	server.addHook('onRequest', async (request, reply) => {
		if (!isOwnOrigin(request.headers, host)) {
			return reply.code(403).send({ error: 'The console answers its own pages only.' });
		}
		reply.header('cache-control', 'no-store');
		return undefined;
	});

	server.setErrorHandler((/** @type {import('fastify').FastifyError} */ error, _request, reply) => {
		const own = error instanceof InputError || error instanceof SettingError;
		const status = own ? 400 : (error.statusCode ?? 500);
		return reply
			.code(status)
			.send({ error: status < 500 ? error.message : 'The emulator failed.' });
	});

	server.get('/keys', async () => ({ keys: state.keys.list() }));
	server.post('/keys', async (request, reply) => {
		const created = state.keys.create(readWantedKey(request.body));
		state.announce('keys', { keys: state.keys.list() });
		return reply.code(201).send(created);
	});
	server.delete('/keys/:id', async (request, reply) => {
		const { id } = /** @type {{id: string}} */ (request.params);
		const revoked = state.keys.revoke(id, state.settings.revocationDelayMs);
		if (!revoked) return reply.code(404).send({ error: 'There is no such key.' });
		state.announce('keys', { keys: state.keys.list() });
		return revoked;
	});

	server.get('/wallets', async () => state.wallets.all());
	server.put('/wallets/:environment', async (request) => {
		const { environment } = /** @type {{environment: string}} */ (request.params);
		state.wallets.set(readEnvironment(environment), readBalance(request.body));
		state.announce('wallets', state.wallets.all());
		return state.wallets.all();
	});

	server.get('/usage', async (request) => {
		const { after = '0' } = /** @type {{after?: string}} */ (request.query);
		if (!/^\d{1,15}$/.test(after)) throw new InputError('"after" must be the id of a call.');
		return { calls: state.usage.after(Number(after)) };
	});

	server.get('/settings', async () => state.settings);
	server.put('/settings', async (request) => setSettings(request.body));

	server.get('/options', async () => ({ scopes: SCOPES, settings: SETTING_OPTIONS }));

	server.get('/events', (request, reply) => streamEvents(state, request, reply));
}
