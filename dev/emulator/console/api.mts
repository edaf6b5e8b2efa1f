import type { FastifyError, FastifyInstance, FastifySchemaValidationError } from 'fastify';
import { PassThrough } from 'node:stream';

import { listAvailableScopes } from '../operations.mts';
import type { EmulatorState, Events } from '../state.mts';
import { scopeRule, settingsSchema, type Settings } from '../settings.mts';
import type { Environment, NewKeyOptions } from '../keys.mts';
import { toRefusal } from '../http/refusal.mts';
import { isOwnOrigin } from './origin.mts';

const environmentSchema = { enum: ['sandbox', 'live'] };
const labelSchema = { type: 'string', maxLength: 100 };
const keySchema = {
	body: {
		type: 'object',
		required: ['environment', 'scopes'],
		properties: {
			environment: environmentSchema,
			scopes: { type: 'array', items: { type: 'string' } },
			product: labelSchema,
			name: labelSchema,
		},
	},
};
const walletSchema = {
	params: { type: 'object', properties: { environment: environmentSchema } },
	body: {
		type: 'object',
		required: ['balance'],
		properties: { balance: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } },
	},
};
const usageSchema = {
	querystring: {
		type: 'object',
		properties: { after: { type: 'string', pattern: '^\\d{1,15}$' } },
	},
};

/** The console's own API as a fastify plugin, below /console/api. README.md lists it. */
export async function serveConsoleApi(
	server: FastifyInstance,
	{ state, host }: { state: EmulatorState; host: string },
) {
	server.addHook('onRequest', async (request, reply) => {
		if (!isOwnOrigin(request.headers, host)) {
			return reply.code(403).send({ error: 'Only pages of the console may use it.' });
		}
		reply.header('cache-control', 'no-store');
		return undefined;
	});

	server.setErrorHandler((error: FastifyError, _request, reply) => {
		const { statusCode = 500, message, validation: [fault] = [] } = error;
		if (statusCode < 500) {
			return reply.code(statusCode).send({ error: fault ? explain(fault) : message });
		}
		return reply.code(statusCode).send({ error: toRefusal(error).message });
	});

	server.get('/keys', async () => ({ keys: state.keys.list() }));
	server.post<{ Body: NewKeyOptions }>('/keys', { schema: keySchema }, async ({ body }, reply) => {
		const scopes = listAvailableScopes(state.settings.voiceCloneScope);
		const unknown = body.scopes.find((scope) => !scopes.includes(scope));
		if (unknown !== undefined) {
			const error = `Unknown scope "${unknown}". Scopes: ${scopes.join(', ')}.`;
			return reply.code(400).send({ error });
		}
		return reply.code(201).send(state.keys.create(body));
	});
	server.delete<{ Params: { id: string } }>('/keys/:id', async ({ params }, reply) => {
		const revoked = state.keys.revoke(params.id, state.settings.revocationDelayMs);
		return revoked ?? reply.code(404).send({ error: 'Key not found.' });
	});

	server.get('/wallets', async () => state.wallets.list());
	server.put<{ Params: { environment: Environment }; Body: { balance: number } }>(
		'/wallets/:environment',
		{ schema: walletSchema },
		async ({ params, body }) => {
			state.wallets.set(params.environment, body.balance);
			return state.wallets.list();
		},
	);

	server.get<{ Querystring: { after?: string } }>(
		'/usage',
		{ schema: usageSchema },
		async ({ query }) => ({ calls: state.usage.listAfter(Number(query.after ?? 0)) }),
	);

	server.get('/settings', async () => state.settings);
	server.put<{ Body: Partial<Settings> }>(
		'/settings',
		{ schema: { body: settingsSchema } },
		async ({ body }) => state.changeSettings(body),
	);

	server.get('/events', (_request, reply) => {
		const events = new PassThrough();
		const send = <Name extends keyof Events>(event: Name, value: Events[Name]) =>
			events.write(`event: ${event}\ndata: ${JSON.stringify(value)}\n\n`);
		// A page that lost its connection gets everything again.
		send('settings', state.describeSettings());
		send('wallets', state.wallets.list());
		send('keys', { keys: state.keys.list() });
		send('usage', { calls: state.usage.listAfter(0) });
		state.changes.on('change', send);
		// fastify destroys the stream if the connection ends.
		events.on('close', () => state.changes.off('change', send));
		return reply.type('text/event-stream').send(events);
	});
}

/** @returns a sentence that starts with the name of the field in quotes */
function explain({ instancePath, message, params }: FastifySchemaValidationError): string {
	const { additionalProperty = [], missingProperty = [], allowedValues } = params;
	const names = [instancePath.split('/').slice(1), additionalProperty, missingProperty].flat();
	const values = Array.isArray(allowedValues) ? `: ${allowedValues.join(', ')}` : '';
	const words = params.pattern === scopeRule.pattern ? scopeRule.words : message;
	return `"${names.join('.') || 'body'}" ${words}${values}.`;
}
