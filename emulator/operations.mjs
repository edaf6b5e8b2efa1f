/**
 * @typedef {'speech-to-text' | 'text-to-speech' | 'voice-clone' | 'transcriptions' |
 *   'language-detection' | 'sentiment' | 'intent' | 'post-call-analytics' | 'amd'} Operation
 */

/**
 * The operations of docs/openapi.yaml, in its order.
 * @type {readonly Operation[]}
 */
export const OPERATIONS = [
	'speech-to-text',
	'text-to-speech',
	'voice-clone',
	'transcriptions',
	'language-detection',
	'sentiment',
	'intent',
	'post-call-analytics',
	'amd',
];

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
	return [...new Set([...DOCUMENTED_SCOPES, ...(voiceCloneScope ? [voiceCloneScope] : [])])];
}

/**
 * @param {string} path path of the request, without the query
 * @returns {Operation | undefined} undefined if there is no endpoint with this path
 */
export function operationAt(path) {
	return OPERATIONS.find((operation) => path === `/ai/${operation}`);
}
