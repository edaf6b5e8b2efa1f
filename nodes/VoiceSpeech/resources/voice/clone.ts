import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import type { Endpoint } from '../../endpoint';
import { audioInput } from '../../descriptions/audioInput';
import { extraFields } from '../../descriptions/extraFields';
import { optionsFor } from '../../descriptions/options';
import type { Operation } from '../../descriptions/menu';
import { route } from '../../n8n/route';

const showOnlyForThis = { show: { resource: ['voice'], operation: ['clone'] } };

const endpoint: Endpoint = {
	path: '/ai/voice-clone',
	body: 'audio',
	answer: 'json',
	required: [{ name: 'voiceName', field: 'name', label: 'Voice Name' }],
	voiceSample: true,
};

const recommendations: INodeProperties = {
	displayName:
		'Recommended sample: about 10 seconds, a single speaker, a quiet place, 16 kHz or more, as WAV, MP3, M4A or FLAC. Clone only voices whose owner has agreed.',
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
	description: 'A label for the voice',
	routing: { send: { type: 'body', property: 'name' } },
};

/** Voice cloning (docs/openapi.yaml). */
export const cloneVoice: Operation = {
	resource: 'voice',
	option: {
		name: 'Clone',
		value: 'clone',
		action: 'Clone voice',
		description: 'Make a voice from a short sample of one speaker, for use in Text to Speech',
		routing: route(endpoint),
	},
	fields: updateDisplayOptions(showOnlyForThis, [
		recommendations,
		...audioInput,
		voiceName,
		extraFields,
		optionsFor(endpoint),
	]),
};
