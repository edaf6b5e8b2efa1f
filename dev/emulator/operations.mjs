/** The operations of docs/openapi.yaml, in its order. */
export const OPERATIONS = /** @type {const} */ ([
	...['speech-to-text', 'text-to-speech', 'voice-clone', 'transcriptions', 'language-detection'],
	...['sentiment', 'intent', 'post-call-analytics', 'amd'],
]);

/** @typedef {typeof OPERATIONS[number]} Operation */

/**
 * The documented scopes: one per operation, with the same name. The scope of cloning is unknown.
 * @type {readonly string[]}
 */
const DOCUMENTED_SCOPES = OPERATIONS.filter((operation) => operation !== 'voice-clone');

/**
 * @param {string} voiceCloneScope the setting of that name; empty for none
 * @returns {string[]} the scopes that a key can have
 */
export function availableScopes(voiceCloneScope) {
	return [...new Set([...DOCUMENTED_SCOPES, voiceCloneScope])].filter(Boolean);
}

/**
 * @param {string} path path of the request, without the query
 * @returns {Operation | undefined} undefined if there is no endpoint with this path
 */
export function operationAt(path) {
	return OPERATIONS.find((operation) => path === `/ai/${operation}`);
}
