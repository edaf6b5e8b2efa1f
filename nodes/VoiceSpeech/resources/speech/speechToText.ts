import { audioInputParameters, languageParameter } from '../../descriptions/parameters';
import type { ServiceOperation } from '../../descriptions/operation';

export const speechToText: ServiceOperation = {
	resource: 'speech',
	value: 'speechToText',
	name: 'Speech to Text',
	action: 'Convert speech to text',
	description: 'Convert a recording, voice message or video to text',
	endpoint: {
		path: '/ai/speech-to-text',
		scope: 'speech-to-text',
		input: 'audio',
		returns: 'json',
		returnsTranscript: true,
	},
	parameters: [...audioInputParameters, languageParameter],
	outputFields: { text: 'string' },
};
