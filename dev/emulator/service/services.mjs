import { speechToText } from './speech-to-text.mjs';
import { textToSpeech } from './text-to-speech.mjs';
import { undocumented } from './undocumented.mjs';
import { voiceClone } from './voice-clone.mjs';

const SERVICES = {
	'speech-to-text': speechToText,
	'text-to-speech': textToSpeech,
	'voice-clone': voiceClone,
	...undocumented,
};

/**
 * @param {import('../operations.mjs').Operation} operation
 * @returns {import('../http/call.mjs').Service<unknown>} `perform` takes what its `read` returned
 */
export function serviceOf(operation) {
	return /** @type {import('../http/call.mjs').Service<unknown>} */ (SERVICES[operation]);
}
