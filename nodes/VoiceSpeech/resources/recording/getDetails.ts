import { inspectRecording } from '../../call/inspectRecording';
import type { LocalOperation } from '../../descriptions/operation';
import { audioInputParameters } from '../../descriptions/parameters';

export const getDetails: LocalOperation = {
	resource: 'recording',
	value: 'getDetails',
	name: 'Get Details',
	action: 'Get details of recording',
	description:
		'Read duration, format and what the other operations would send, without a call and without credits',
	parameters: audioInputParameters,
	options: ['includeInputFields', 'keepInputFiles'],
	outputFields: {
		fileName: 'string',
		mimeType: 'string',
		bytes: 'integer',
		format: 'string',
		codec: 'string',
		durationSeconds: 'number',
		samplingRate: 'integer',
		channels: 'integer',
		sentAs: 'string',
		sentBytes: 'integer',
	},
	run: async (input) => [await inspectRecording(input)],
};
