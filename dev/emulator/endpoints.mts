import multipart from '@fastify/multipart';
import { rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { EmulatorState } from './state.mts';
import { handleCall } from './handleCall.mts';
import { Refusal, toRefusal } from './http/refusal.mts';
import type { Call } from './http/call.mts';

/** The service's endpoints, which are everything below /ai/, as a fastify plugin. */
export async function serveEndpoints(server: FastifyInstance, { state }: { state: EmulatorState }) {
	await server.register(multipart, { limits: { fileSize: Infinity } });
	// The operation reads the body, after the key was checked. fastify must not read it.
	server.removeContentTypeParser(['application/json', 'text/plain']);
	server.addContentTypeParser('*', (_request, _payload, done) => done(null));
	server.setErrorHandler((error: FastifyError, request, reply) =>
		// The key is checked first, even if fastify cannot parse the Content-Type.
		error.code?.startsWith('FST_ERR_CTP')
			? handleRequest(state, request, reply)
			: sendRefusal(reply, toRefusal(error), state),
	);
	server.all('/ai/*', (request, reply) => handleRequest(state, request, reply));
}

async function handleRequest(state: EmulatorState, request: FastifyRequest, reply: FastifyReply) {
	const { settings, voices, addVoice, uploads } = state;
	const call: Call = { request, settings, voices, addVoice, uploads, files: [], bytesIn: 0 };
	// The request is paused, because a listener of 'data' would start the flow before the body has a reader.
	request.raw.pause().on('data', (chunk: Buffer) => {
		call.bytesIn += chunk.length;
	});
	const outcome = await handleCall(call, state);
	await Promise.all(call.files.map((file) => rm(file, { force: true })));
	// Many clients read the response only after they have sent all, so the rest of a refused body is read.
	request.raw.unpipe();
	request.raw.resume();
	await finished(request.raw, { writable: false }).catch(() => {});
	await sleep(settings.latencyMs, undefined, { ref: false });
	if (outcome instanceof Refusal) return sendRefusal(reply, outcome, state);
	return reply.header('content-type', outcome.contentType).send(outcome.body);
}

function sendRefusal(reply: FastifyReply, refusal: Refusal, { settings }: EmulatorState) {
	const { status, code, message } = refusal;
	// RFC 9110, 15.5.6: a 405 response must list the allowed methods.
	if (status === 405) reply.header('allow', 'POST');
	if (status === 429) reply.header('retry-after', settings.retryAfterSeconds);
	return reply.code(status).send({ error: { message, code } });
}
