import multipart from '@fastify/multipart';
import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { serviceOf } from '../service/services.mjs';
import { operationOf } from '../operations.mjs';
import { admit, authenticate, requirePost, tooFewCredits } from './admission.mjs';
import { writeRefusal } from './refusal-body.mjs';
import { Refusal } from './refusal.mjs';
import { createSpool } from './spool.mjs';

/**
 * Everything below /ai/ as a fastify plugin: finds the key, decides, debits, answers, and writes
 * down every call that came with a key. Source: interface document, "Common to all endpoints" and
 * rules 1 to 3; an accepted call is debited when its body has been read and checked, before the
 * work, which is the emulator's own choice.
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
		const answer = await answerTo(call);
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
		await spool.clear();
	}
}

/**
 * @param {import('./call.mjs').Call} call
 * @returns {Promise<import('./call.mjs').Answer>}
 * @throws {Refusal} whatever stands in the way
 */
async function answerTo(call) {
	const { request, state } = call;
	const path = request.url.split('?', 1)[0] ?? '';
	if (state.settings.checkFirst === 'method') requirePost(request.method);
	const key = authenticate(state, request.headers['x-api-key']);
	const line = {
		at: new Date().toISOString(),
		operation: operationOf(path) ?? '',
		path,
		environment: key.environment,
		testData: key.environment === 'sandbox',
		keyPrefix: key.prefix,
	};
	try {
		requirePost(request.method);
		const { operation, cost } = admit(state, key, path);
		const service = serviceOf(operation);
		const input = await service.read(call);
		return await payAndPerform(call, service, input, line, cost);
	} catch (error) {
		const status = asRefusal(error).status(state.settings);
		announce(state, state.usage.add({ ...line, credits: 0, status, bytesIn: call.bytesIn }));
		throw error;
	}
}

/**
 * @template Input
 * @param {import('./call.mjs').Call} call
 * @param {import('./call.mjs').Service<Input>} service
 * @param {Input} input
 * @param {Omit<import('../usage.mjs').Call, 'id' | 'credits' | 'status' | 'bytesIn'>} line
 * @param {number} cost credits
 */
async function payAndPerform({ state, ...call }, service, input, line, cost) {
	const { environment } = line;
	// Other calls may have emptied the wallet while this one's body was on its way.
	if (!state.wallets.debit(environment, cost)) throw tooFewCredits(environment);
	try {
		const answer = await service.perform({ state, ...call }, input);
		announce(
			state,
			state.usage.add({
				...line,
				credits: cost,
				status: answer.status ?? 200,
				bytesIn: call.bytesIn,
				...(answer.voiceId && { voiceId: answer.voiceId }),
			}),
		);
		return answer;
	} catch (error) {
		state.wallets.refund(environment, cost);
		throw error;
	}
}

/**
 * @param {import('../state.mjs').State} state
 * @param {import('../usage.mjs').Call} call
 */
function announce(state, call) {
	state.announce('usage', call);
	if (call.credits > 0) state.announce('wallets', state.wallets.all());
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

/** @param {unknown} error @returns {Refusal} */
function asRefusal(error) {
	if (error instanceof Refusal) return error;
	return new Refusal('broken', 'The emulator failed: this is a fault of its own.');
}

/**
 * @param {import('fastify').FastifyReply} reply
 * @param {Refusal} refusal
 * @param {import('../state.mjs').State} state
 */
function sendRefusal(reply, refusal, state) {
	const { status, headers, body } = writeRefusal(refusal, state.settings);
	return reply.code(status).headers(headers).send(body);
}
