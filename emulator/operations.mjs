/**
 * The nine operations of the interface document, in its order. The scope of `voice-clone` is
 * "not shown" there: see `voiceCloneScope` in settings.mjs.
 */

/**
 * @typedef {'speech-to-text' | 'text-to-speech' | 'voice-clone' | 'transcriptions' |
 *   'language-detection' | 'sentiment' | 'intent' | 'post-call-analytics' | 'amd'} Operation
 */

/** @type {readonly Operation[]} */
export const OPERATIONS = Object.freeze([
	'speech-to-text',
	'text-to-speech',
	'voice-clone',
	'transcriptions',
	'language-detection',
	'sentiment',
	'intent',
	'post-call-analytics',
	'amd',
]);

/**
 * Scopes that a key can have: those of the document, one for each operation except cloning, and
 * one for cloning, which is the emulator's own choice.
 * @type {readonly string[]}
 */
export const SCOPES = OPERATIONS;

/**
 * The operation that a path addresses.
 * @param {string} path path of the request, without the query
 * @returns {Operation | undefined} undefined where the document has no such endpoint
 */
export function operationOf(path) {
	return OPERATIONS.find((operation) => path === `/ai/${operation}`);
}
