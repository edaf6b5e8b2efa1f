import { productName, type Environment, type FoundKey } from './keys.mts';
import { findOperation, type Operation } from './operations.mts';
import type { EmulatorState } from './state.mts';
import type { CallRecord } from './usage.mts';
import type { Call, ServiceResponse } from './http/call.mts';
import { toRefusal, Refusal } from './http/refusal.mts';

/**
 * Checks, debits and performs a call, and records it in the usage dashboard if its key was issued. The debit follows when
 * the body has been read and checked; it is refunded if the emulator fails.
 */
export async function handleCall(
	call: Call,
	state: EmulatorState,
): Promise<ServiceResponse | Refusal> {
	const { request } = call;
	const path = request.url.split('?', 1)[0] ?? '';
	const header = String(request.headers['x-api-key'] ?? '');
	const key = state.keys.find(header);
	const at = new Date().toISOString();
	const record = (outcome: Pick<CallRecord, 'credits' | 'status' | 'voiceId'>) => {
		if (!key) return;
		const { environment, prefix } = key;
		state.usage.add({
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
	};
	try {
		if (header === '') {
			throw new Refusal('unauthorized', 'Send an API key in the header X-API-Key.');
		}
		if (!key || key.isRefused) {
			throw new Refusal('unauthorized', 'This API key is unknown or was revoked.');
		}
		const { environment } = key;
		const { name, handler } = admit(state, key, request.method, path);
		const cost = state.settings.creditCosts[name] ?? handler.credits;
		requireCredits(state, environment, cost);
		const input = await handler.read(call);
		// Other calls may have emptied the wallet while this body was in transit.
		requireCredits(state, environment, cost);
		try {
			state.wallets.debit(environment, cost);
			const response = await handler.perform(call, input);
			record({ credits: cost, status: 200, voiceId: response.voiceId });
			return response;
		} catch (error) {
			try {
				state.wallets.refund(environment, cost);
			} catch {
				// The refund is in memory, and the next save writes it. The first error is the one to print.
			}
			throw error;
		}
	} catch (error) {
		const refusal = toRefusal(error);
		record({ credits: 0, status: refusal.status });
		return refusal;
	}
}

/** Checks what can be checked before the body is read, except key and wallet. The order is the emulator's choice. */
function admit(state: EmulatorState, key: FoundKey, method: string, path: string): Operation {
	if (method !== 'POST') {
		throw new Refusal('methodNotAllowed', `${method} is not supported here: use POST.`);
	}
	const operation = findOperation(path);
	if (!operation) throw new Refusal('notFound', `Unknown endpoint ${path}.`);
	if (key.product !== productName) {
		throw new Refusal('forbidden', `This API key is for the product "${key.product}".`);
	}
	const scope = operation.scope ?? state.settings.voiceCloneScope;
	if (scope !== '' && !key.scopes.includes(scope)) {
		throw new Refusal('forbidden', `This API key lacks the scope "${scope}".`);
	}
	if (!passesRateLimit(state, key.id)) {
		throw new Refusal('rateLimited', 'Too many calls with this API key: wait and try again.');
	}
	return operation;
}

/**
 * Counts a call of a key, unless there were too many in the last second.
 *
 * @returns whether the call was counted
 */
function passesRateLimit({ settings, admittedCalls }: EmulatorState, keyId: string): boolean {
	const limit = settings.rateLimitPerSecond;
	if (limit === 0) return true;
	const now = performance.now();
	const recent = (admittedCalls.get(keyId) ?? []).filter((time) => now - time < 1000);
	const passes = recent.length < limit;
	if (passes) recent.push(now);
	admittedCalls.set(keyId, recent);
	return passes;
}

/** @param cost credits */
function requireCredits({ wallets }: EmulatorState, environment: Environment, cost: number) {
	const { balance } = wallets.list()[environment];
	if (balance < cost) {
		throw new Refusal(
			'paymentRequired',
			`Not enough credits: the call costs ${cost}, the wallet has ${balance}.`,
		);
	}
}
