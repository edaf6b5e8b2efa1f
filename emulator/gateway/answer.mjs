import { operationOf } from '../operations.mjs';
import { serviceOf } from '../service/services.mjs';
import { admit, authenticate, requirePost, tooFewCredits } from './admission.mjs';
import { asRefusal } from './refusal.mjs';

/**
 * Finds the key of a call, decides, debits and performs it, and writes down every call that came
 * with a key. Source: interface document, "Common to all endpoints" and rules 1 to 3; an accepted
 * call is debited when its body has been read and checked, before the work, which is the
 * emulator's own choice.
 * @param {import('./call.mjs').Call} call
 * @returns {Promise<import('./call.mjs').Answer>}
 * @throws {import('./refusal.mjs').Refusal} whatever stands in the way
 */
export async function answerTo(call) {
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
