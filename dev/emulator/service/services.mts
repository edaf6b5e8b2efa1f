import { speechToText } from './speech-to-text.mts';
import { textToSpeech } from './text-to-speech.mts';
import { undocumented } from './undocumented.mts';
import { voiceClone } from './voice-clone.mts';
import type { Operation } from '../operations.mts';
import type { Service } from '../http/call.mts';

const SERVICES = {
	'speech-to-text': speechToText,
	'text-to-speech': textToSpeech,
	'voice-clone': voiceClone,
	...undocumented,
};

/** @returns `perform` takes what its `read` returned */
export function serviceOf(operation: Operation): Service<unknown> {
	return SERVICES[operation] as Service<unknown>;
}
