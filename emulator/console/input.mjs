import { SCOPES } from '../operations.mjs';

/** Something in a request to the console's API that cannot be; its message says what. */
export class InputError extends Error {}

const ENVIRONMENTS = ['sandbox', 'live'];
const MOST_LABEL_CHARACTERS = 100;

/**
 * @param {unknown} body `{environment, scopes, product?, name?}`
 * @returns {{environment: import('../keys.mjs').Environment, scopes: string[], product?: string,
 *   name?: string}}
 * @throws {InputError}
 */
export function readWantedKey(body) {
	const { environment, scopes, product, name } = readObject(body);
	if (!Array.isArray(scopes) || !scopes.every((scope) => SCOPES.includes(scope))) {
		throw new InputError(`"scopes" must be a list of ${SCOPES.join(', ')}.`);
	}
	return {
		environment: readEnvironment(environment),
		scopes,
		...(product !== undefined && { product: readLabel(product, 'product') }),
		...(name !== undefined && { name: readLabel(name, 'name') }),
	};
}

/**
 * @param {unknown} value
 * @returns {import('../keys.mjs').Environment}
 * @throws {InputError}
 */
export function readEnvironment(value) {
	if (!ENVIRONMENTS.includes(/** @type {string} */ (value))) {
		throw new InputError('"environment" must be "sandbox" or "live".');
	}
	return /** @type {import('../keys.mjs').Environment} */ (value);
}

/**
 * @param {unknown} body `{balance}`
 * @returns {number} whole credits
 * @throws {InputError}
 */
export function readBalance(body) {
	const { balance } = readObject(body);
	if (!Number.isSafeInteger(balance) || Number(balance) < 0) {
		throw new InputError('"balance" must be a whole number of credits, 0 or more.');
	}
	return Number(balance);
}

/**
 * @param {unknown} value
 * @returns {Record<string, unknown>}
 */
function readObject(value) {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw new InputError('Send a JSON object.');
	}
	return /** @type {Record<string, unknown>} */ (value);
}

/**
 * @param {unknown} value
 * @param {string} name
 */
function readLabel(value, name) {
	if (typeof value !== 'string' || value.length > MOST_LABEL_CHARACTERS) {
		throw new InputError(`"${name}" must be a text of up to ${MOST_LABEL_CHARACTERS} characters.`);
	}
	return value;
}
