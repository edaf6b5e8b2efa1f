import { productName } from '../keys.mts';
import { findOperation } from '../operations.mts';
import { Refusal } from './refusal.mts';
import type { State } from '../state.mts';
import type { Service } from './call.mts';
import type { Environment, FoundKey } from '../keys.mts';

/** What a request may do. */
export interface Admission {
	service: Service<unknown>;
	/** Credits. */
	cost: number;
}

const unknownKey = () => new Refusal('unauthorized', 'This API key is unknown or was revoked.');

/**
 * Finds the key of a request, which may be revoked.
 * @param header value of X-API-Key
 * @throws {Refusal} unauthorized if it was never issued
 */
export function findKey(state: State, header: string | string[] | undefined): FoundKey {
	if (typeof header !== 'string' || header === '') {
		throw new Refusal('unauthorized', 'Send an API key in the header X-API-Key.');
	}
	const found = state.keys.find(header);
	if (!found) throw unknownKey();
	return found;
}

/**
 * Checks everything that can be checked before the body is read. The order is the emulator's choice.
 * @throws {Refusal} unauthorized, methodNotAllowed, notFound, forbidden, rateLimited or paymentRequired
 */
export function admit(
	state: State,
	{ key, refused }: FoundKey,
	method: string,
	path: string,
): Admission {
	const { settings } = state;
	if (refused) throw unknownKey();
	if (method !== 'POST') {
		throw new Refusal('methodNotAllowed', `${method} is not supported here: use POST.`);
	}
	const operation = findOperation(path);
	if (!operation) throw new Refusal('notFound', `Unknown endpoint ${path}.`);
	if (key.product !== productName) {
		throw new Refusal('forbidden', `This API key is for the product "${key.product}".`);
	}
	const scope = operation.scope ?? settings.voiceCloneScope;
	if (scope !== '' && !key.scopes.includes(scope)) {
		throw new Refusal('forbidden', `This API key lacks the scope "${scope}".`);
	}
	if (!state.rateLimit.admits(key.id, settings.rateLimitPerSecond)) {
		throw new Refusal('rateLimited', 'Too many calls with this API key: wait and try again.');
	}
	const cost = settings.creditCosts[operation.name];
	requireCredits(state, key.environment, cost);
	return { service: operation.service, cost };
}

/**
 * @param cost credits
 * @throws {Refusal} paymentRequired
 */
export function requireCredits({ wallets }: State, environment: Environment, cost: number) {
	if (wallets[environment] < cost) {
		throw new Refusal(
			'paymentRequired',
			`Not enough credits: the call costs ${cost}, the wallet has ${wallets[environment]}.`,
		);
	}
}
