import type { INodeProperties } from 'n8n-workflow';

import type { ServiceOperation } from '../../descriptions/operation';
import {
	linkToHowTo,
	outputPropertyNameParameter,
	textParameter,
} from '../../descriptions/parameters';

const audioLink = linkToHowTo('let-an-agent-listen-and-let-it-speak', 'a link that plays it');

/** n8n does not pass files from a tool to its agent. */
const toolNotice: INodeProperties = {
	displayName: `An agent receives only a description of the audio: add the option 'Link (Hours)', and it also receives ${audioLink}`,
	name: 'toolNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { '@tool': [true] } },
};

const voiceField = 'voice_id';

const voiceIdParameter: INodeProperties = {
	displayName: 'Voice ID',
	name: 'voiceId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. vc_4f1c9a',
	hint: 'No voice yet? Create one with Voice > Clone, then enter its voice_id.',
	description:
		"The voice_id that Clone returned, not the voice's name. Lost it? Look in 'Executions', at the run that cloned it.",
	routing: { send: { type: 'body', property: voiceField } },
};

export const textToSpeech: ServiceOperation = {
	resource: 'speech',
	value: 'textToSpeech',
	name: 'Text to Speech',
	action: 'Convert text to speech',
	description: 'Convert text to an audio file, in a cloned voice',
	endpoint: {
		path: '/ai/text-to-speech',
		scope: 'text-to-speech',
		input: 'text',
		returns: 'audio',
		voiceField,
	},
	parameters: [toolNotice, textParameter, voiceIdParameter, outputPropertyNameParameter],
	outputFields: {
		fileName: 'string',
		mimeType: 'string',
		bytes: 'integer',
		voiceId: 'string',
		characters: 'integer',
	},
	defaultFileName: 'speech',
	describeRequest({ text, voiceId }) {
		if (text === undefined) return { voiceId };
		const codePoints = [...text];
		return { voiceId, characters: codePoints.length };
	},
};
