import { operationOf } from '../operations.mjs';
import { PRODUCT } from '../keys.mjs';
import { Refusal } from './refusal.mjs';

/**
 * @typedef {import('./rate-limit.mjs').createRateLimit} CreateRateLimit
 * @typedef {object} Admission what is known of a call before its body is read
 * @property {import('../keys.mjs').KeyRecord} key
 * @property {import('../operations.mjs').Operation} operation
 * @property {number} cost credits
 */

/**
 * Finds the key of a request. Source: interface document, "Authentication" 1; that an unknown,
 * a revoked and a missing key get the same status is the emulator's own choice.
 * @param {import('../state.mjs').State} state
 * @param {string | string[] | undefined} value the header X-API-Key
 * @returns {import('../keys.mjs').KeyRecord}
 * @throws {Refusal} unauthorized
 */
export function authenticate(state, value) {
	if (typeof value !== 'string' || value === '') {
		throw new Refusal('unauthorized', 'Send an API key in the header X-API-Key.', 'X-API-Key');
	}
	const key = state.keys.find(value);
	if (!key) {
		throw new Refusal('unauthorized', 'This API key is unknown or was revoked.', 'X-API-Key');
	}
	return key;
}

/**
 * @param {string} method
 * @throws {Refusal} methodNotAllowed for anything but POST
 */
export function requirePost(method) {
	if (method !== 'POST') {
		throw new Refusal('methodNotAllowed', `${method} is not supported here: use POST.`);
	}
}

/**
 * Decides whether a key may make a call, by everything that can be known before the body is read.
 * Source: interface document, "Authentication" 2 to 5. The order of the checks is the emulator's
 * own choice.
 * @param {import('../state.mjs').State} state
 * @param {import('../keys.mjs').KeyRecord} key
 * @param {string} path
 * @returns {Admission}
 * @throws {Refusal} notFound, forbidden, rateLimited or paymentRequired
 */
export function admit(state, key, path) {
	const { settings } = state;
	const operation = operationOf(path);
	if (!operation) throw new Refusal('notFound', `There is no endpoint ${path}.`);
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
	if (!state.wallets.covers(key.environment, cost)) throw tooFewCredits(key.environment);
	return { key, operation, cost };
}

/**
 * @param {import('../keys.mjs').Environment} environment
 * @returns {Refusal}
 */
export function tooFewCredits(environment) {
	return new Refusal(
		'paymentRequired',
		`The ${environment} credit wallet has too few credits for this call.`,
	);
}
