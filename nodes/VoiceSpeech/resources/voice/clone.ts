import type { INodeProperties } from 'n8n-workflow';

import { audioInputParameters } from '../../descriptions/parameters';
import type { ServiceOperation } from '../../descriptions/operation';
import { voiceSampleLengthText, samplingRateText } from '../../service/endpoint';

const sampleNotice: INodeProperties = {
	displayName: `Use ${voiceSampleLengthText} of one speaker who has agreed, recorded in a quiet place at ${samplingRateText}`,
	name: 'sampleNotice',
	type: 'notice',
	default: '',
};

const voiceNameParameter: INodeProperties = {
	displayName: 'Voice Name',
	name: 'voiceName',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Reception',
	hint: 'Keep the voice_id: no way to look it up is documented',
	description:
		"Label of the new voice. In Text to Speech, enter the voice's voice_id, not this name.",
	routing: { send: { type: 'body', property: 'name' } },
};

export const clone: ServiceOperation = {
	resource: 'voice',
	value: 'clone',
	name: 'Clone',
	action: 'Clone voice',
	description: 'Create a voice for Text to Speech from an audio sample',
	endpoint: {
		path: '/ai/voice-clone',
		input: 'audio',
		returns: 'json',
		takesVoiceSample: true,
	},
	parameters: [sampleNotice, ...audioInputParameters, voiceNameParameter],
	outputFields: { voice_id: 'string' },
};
