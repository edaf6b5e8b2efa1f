import multipart from '@fastify/multipart';
import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { answerTo } from './answer.mjs';
import { writeRefusal } from './refusal-body.mjs';
import { asRefusal } from './refusal.mjs';
import { createSpool } from './spool.mjs';

/**
 * Everything below /ai/ as a fastify plugin. Source: interface document, "Endpoints".
 * @param {import('fastify').FastifyInstance} server
 * @param {{state: import('../state.mjs').State}} options
 */
export async function gateway(server, { state }) {
	// Too large a file is noticed, and refused, while it is read: see multipart.mjs.
	await server.register(multipart, { throwFileSizeLimit: false });
	// The body is read by the operation, after the key was checked: fastify must not touch it.
	server.removeContentTypeParser(['application/json', 'text/plain']);
	server.addContentTypeParser('*', (_request, _payload, done) => done(null));
	server.setErrorHandler((/** @type {import('fastify').FastifyError} */ error, request, reply) =>
		// A Content-Type that fastify cannot read: still, the key comes first.
		error.code?.startsWith('FST_ERR_CTP')
			? handleCall(state, request, reply)
			: sendRefusal(reply, asRefusal(error), state),
	);
	server.all('/ai/*', (request, reply) => handleCall(state, request, reply));
}

/**
 * Answers one request to the service, whatever its method.
 * @param {import('../state.mjs').State} state
 * @param {import('fastify').FastifyRequest} request
 * @param {import('fastify').FastifyReply} reply
 */
export async function handleCall(state, request, reply) {
	const spool = createSpool(state.uploads);
	/** @type {import('./call.mjs').Call} */
	const call = { request, state, spool, bytesIn: 0 };
	try {
		const answer = await answerTo(call).finally(() => spool.clear());
		await delay(state.settings.latencyMs, undefined, { ref: false });
		return reply
			.code(answer.status ?? 200)
			.header('content-type', answer.contentType)
			.send(answer.body);
	} catch (error) {
		const refusal = asRefusal(error);
		if (state.settings.refuseUploads === 'after') await readPast(request.raw);
		await delay(state.settings.latencyMs, undefined, { ref: false });
		return sendRefusal(reply, refusal, state);
	} finally {
		void readPast(request.raw);
	}
}

/**
 * Reads what is left of a body that was refused half way: a client that is still sending may never
 * look at an answer.
 * @param {import('node:http').IncomingMessage} body
 * @returns {Promise<void>} when all of it has come, or the client has left
 */
async function readPast(body) {
	body.unpipe();
	body.resume();
	await finished(body, { writable: false }).catch(() => {});
}

/**
 * @param {import('fastify').FastifyReply} reply
 * @param {import('./refusal.mjs').Refusal} refusal
 * @param {import('../state.mjs').State} state
 */
function sendRefusal(reply, refusal, state) {
	const { status, headers, body } = writeRefusal(refusal, state.settings);
	return reply.code(status).headers(headers).send(body);
}
