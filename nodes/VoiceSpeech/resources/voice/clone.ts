import type { INodeProperties } from 'n8n-workflow';

import { audioInput } from '../../descriptions/fields';
import type { Operation } from '../../descriptions/operation';

const sampleNotice: INodeProperties = {
	displayName:
		'Use a sample of a single speaker in a quiet place, at 16 kHz or higher. About 10 seconds are recommended. Clone only voices whose owner has agreed.',
	name: 'sampleNotice',
	type: 'notice',
	default: '',
};

const voiceName: INodeProperties = {
	displayName: 'Voice Name',
	name: 'voiceName',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Reception',
	description: 'Name for the new voice',
	routing: { send: { type: 'body', property: 'name' } },
};

/** Voice cloning (docs/openapi.yaml). */
export const cloneVoice: Operation = {
	resource: 'voice',
	operation: 'clone',
	name: 'Clone',
	action: 'Clone voice',
	description: 'Create a voice for Text to Speech from an audio sample',
	endpoint: {
		path: '/ai/voice-clone',
		body: 'audio',
		returns: 'json',
		voiceSample: true,
	},
	fields: [sampleNotice, ...audioInput, voiceName],
};
