import { amd } from './amd.mjs';
import { intent } from './intent.mjs';
import { languageDetection } from './language-detection.mjs';
import { postCallAnalytics } from './post-call-analytics.mjs';
import { sentiment } from './sentiment.mjs';
import { speechToText } from './speech-to-text.mjs';
import { textToSpeech } from './text-to-speech.mjs';
import { transcriptions } from './transcriptions.mjs';
import { voiceClone } from './voice-clone.mjs';

const SERVICES = {
	'speech-to-text': speechToText,
	'text-to-speech': textToSpeech,
	'voice-clone': voiceClone,
	transcriptions,
	'language-detection': languageDetection,
	sentiment,
	intent,
	'post-call-analytics': postCallAnalytics,
	amd,
};

/**
 * The program of an operation. What its `read` gives is for its own `perform` alone.
 * @param {import('../operations.mjs').Operation} operation
 * @returns {import('../gateway/call.mjs').Service<unknown>}
 */
export function serviceOf(operation) {
	return /** @type {import('../gateway/call.mjs').Service<unknown>} */ (SERVICES[operation]);
}
