import { findOperation } from '../operations.mts';
import { describeWallets } from '../state.mts';
import { admit, findKey, requireCredits } from './admission.mts';
import { asRefusal } from './refusal.mts';
import type { Call, ServiceResponse } from './call.mts';
import type { CallRecord } from '../usage.mts';

type Outcome = Pick<CallRecord, 'credits' | 'status' | 'voiceId'>;

/**
 * Checks, debits and performs a call, and records it in the usage dashboard if its key was issued.
 * The debit follows when the body has been read and checked; it is refunded if the emulator fails.
 * @throws {Refusal}
 */
export async function processCall(call: Call): Promise<ServiceResponse> {
	const { request, state } = call;
	const path = request.url.split('?', 1)[0] ?? '';
	const found = findKey(state, request.headers['x-api-key']);
	const { environment, prefix } = found.key;
	const at = new Date().toISOString();
	const record = (outcome: Outcome) => {
		const added = state.usage.add({
			at,
			method: request.method,
			operation: findOperation(path)?.name ?? '',
			path,
			environment,
			testData: environment === 'sandbox',
			keyPrefix: prefix,
			bytesIn: call.bytesIn,
			...outcome,
		});
		state.announce('call', added);
		if (outcome.credits > 0) state.announce('wallets', describeWallets(state));
	};
	try {
		const { service, cost } = admit(state, found, request.method, path);
		const input = await service.read(call);
		// Other calls may have emptied the wallet while this body was in transit.
		requireCredits(state, environment, cost);
		state.wallets[environment] -= cost;
		const response = await service.perform(call, input).catch((error) => {
			state.wallets[environment] += cost;
			throw error;
		});
		record({ credits: cost, status: 200, voiceId: response.voiceId });
		return response;
	} catch (error) {
		record({ credits: 0, status: asRefusal(error).status });
		throw error;
	}
}
