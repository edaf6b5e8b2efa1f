import { speechToText } from './speech-to-text.mjs';
import { textToSpeech } from './text-to-speech.mjs';
import * as undocumented from './undocumented.mjs';
import { voiceClone } from './voice-clone.mjs';

const SERVICES = {
	'speech-to-text': speechToText,
	'text-to-speech': textToSpeech,
	'voice-clone': voiceClone,
	transcriptions: undocumented.transcriptions,
	'language-detection': undocumented.languageDetection,
	sentiment: undocumented.sentiment,
	intent: undocumented.intent,
	'post-call-analytics': undocumented.postCallAnalytics,
	amd: undocumented.amd,
};

/**
 * @param {import('../operations.mjs').Operation} operation
 * @returns {import('../http/call.mjs').Service<unknown>} `perform` takes what its `read` returned
 */
export function serviceOf(operation) {
	return /** @type {import('../http/call.mjs').Service<unknown>} */ (SERVICES[operation]);
}
