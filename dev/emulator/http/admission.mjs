import { PRODUCT } from '../keys.mjs';
import { operationAt } from '../operations.mjs';
import { Refusal } from './refusal.mjs';

const unknownKey = () => new Refusal('unauthorized', 'This API key is unknown or was revoked.');

/**
 * Finds the key of a request, which may be revoked.
 * @param {import('../state.mjs').State} state
 * @param {string | string[] | undefined} header value of X-API-Key
 * @throws {Refusal} unauthorized if it was never issued
 */
export function findKey(state, header) {
	if (typeof header !== 'string' || header === '') {
		throw new Refusal('unauthorized', 'Send an API key in the header X-API-Key.');
	}
	const found = state.keys.find(header);
	if (!found) throw unknownKey();
	return found;
}

/**
 * Checks everything that can be checked before the body is read. The order is the emulator's choice.
 * @param {import('../state.mjs').State} state
 * @param {ReturnType<typeof findKey>} found
 * @param {string} method
 * @param {string} path
 * @returns {{operation: import('../operations.mjs').Operation, cost: number}} cost in credits
 * @throws {Refusal} unauthorized, methodNotAllowed, notFound, forbidden, rateLimited or
 *   paymentRequired
 */
export function admit(state, { key, refused }, method, path) {
	const { settings } = state;
	if (refused) throw unknownKey();
	if (method !== 'POST') {
		throw new Refusal('methodNotAllowed', `${method} is not supported here: use POST.`);
	}
	const operation = operationAt(path);
	if (!operation) throw new Refusal('notFound', `Unknown endpoint ${path}.`);
	if (key.product !== PRODUCT) {
		throw new Refusal('forbidden', `This API key is for the product "${key.product}".`);
	}
	const scope = operation === 'voice-clone' ? settings.voiceCloneScope : operation;
	if (scope !== '' && !key.scopes.includes(scope)) {
		throw new Refusal('forbidden', `This API key lacks the scope "${scope}".`);
	}
	if (!state.rateLimit.admits(key.id, settings.rateLimitPerSecond)) {
		throw new Refusal('rateLimited', 'Too many calls with this API key: wait and try again.');
	}
	const cost = settings.creditCosts[operation];
	requireCredits(state, key.environment, cost);
	return { operation, cost };
}

/**
 * @param {import('../state.mjs').State} state
 * @param {import('../keys.mjs').Environment} environment
 * @param {number} cost credits
 * @throws {Refusal} paymentRequired
 */
export function requireCredits({ wallets }, environment, cost) {
	if (wallets[environment] < cost) {
		throw new Refusal(
			'paymentRequired',
			`The ${environment} credit wallet has too few credits for this call.`,
		);
	}
}
