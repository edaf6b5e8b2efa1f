import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import type { Endpoint } from '../../endpoint';
import { extraFields } from '../../descriptions/extraFields';
import { optionsFor } from '../../descriptions/options';
import { text } from '../../descriptions/parameters';
import type { Operation } from '../../descriptions/menu';
import { route } from '../../n8n/route';

const showOnlyForThis = { show: { resource: ['speech'], operation: ['textToSpeech'] } };

const endpoint: Endpoint = {
	path: '/ai/text-to-speech',
	scope: 'text-to-speech',
	body: 'json',
	answer: 'audio',
	required: [{ name: 'voiceId', field: 'voice_id', label: 'Voice ID' }],
};

const voiceId: INodeProperties = {
	displayName: 'Voice ID',
	name: 'voiceId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. vc_4f1c9a',
	description: 'The voice that speaks, as the Clone Voice operation returned it in voice_id',
	routing: { send: { type: 'body', property: 'voice_id' } },
};

const outputPropertyName: INodeProperties = {
	displayName: 'Output Data Field Name',
	name: 'outputPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	description: 'The name of the field to put the audio file in',
};

/** Text to speech (docs/openapi.yaml). */
export const textToSpeech: Operation = {
	resource: 'speech',
	option: {
		name: 'Text to Speech',
		value: 'textToSpeech',
		action: 'Speak text',
		description: 'Turn a text into an audio file, in a voice that was cloned before',
		routing: route(endpoint),
	},
	fields: updateDisplayOptions(showOnlyForThis, [
		text,
		voiceId,
		outputPropertyName,
		extraFields,
		optionsFor(endpoint),
	]),
};
