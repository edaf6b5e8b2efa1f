// Written by "npm run docs" from the paths of docs/openapi.yaml.
import { amd } from './amd.mts';
import { intent } from './intent.mts';
import { languageDetection } from './language-detection.mts';
import { postCallAnalytics } from './post-call-analytics.mts';
import { sentiment } from './sentiment.mts';
import { speechToText } from './speech-to-text.mts';
import { textToSpeech } from './text-to-speech.mts';
import { transcriptions } from './transcriptions.mts';
import { voiceClone } from './voice-clone.mts';

/** How the emulator responds to each operation, by the last part of its path. */
export const operationHandlers = {
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
