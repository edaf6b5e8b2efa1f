import type { INodeProperties } from 'n8n-workflow';

import { formatsAreDocumented, type Endpoint } from '../endpoint';

interface Option {
	property: INodeProperties;
	/** For which endpoints the option means anything. */
	for: (endpoint: Endpoint) => boolean;
}

const always = () => true;

const options: Option[] = [
	{
		for: always,
		property: {
			displayName: 'Answer Timeout (Seconds)',
			name: 'answerTimeoutSeconds',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 1800,
			description:
				"How long to wait for the answer to begin once everything is uploaded. 0 waits without limit. The 'Timeout' of n8n's request options, where set, takes its place.",
		},
	},
	{
		for: always,
		property: {
			displayName: 'Concurrency',
			name: 'concurrency',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 5,
			description: 'How many calls of this node may be under way at once',
		},
	},
	{
		for: (endpoint) => endpoint.body !== 'json',
		property: {
			displayName: 'File Field Name',
			name: 'fileFieldName',
			type: 'string',
			default: 'file',
			description: 'The name under which the recording is sent',
		},
	},
	{
		for: formatsAreDocumented,
		property: {
			displayName: 'Format Check',
			name: 'formatCheck',
			type: 'options',
			options: [
				{ name: 'Off', value: 'off', description: 'Send whatever the file is' },
				{
					name: 'Reject',
					value: 'reject',
					description: 'Refuse what is not WAV, MP3, M4A or FLAC before it is paid for',
				},
			],
			default: 'reject',
			description:
				'What to do with a file whose first bytes show a format that the service does not accept',
		},
	},
	{
		for: always,
		property: {
			displayName: 'Include Input Fields',
			name: 'includeInputFields',
			type: 'boolean',
			default: false,
			description:
				"Whether to keep the item's own fields beside those of the answer, which win on the same name",
		},
	},
	{
		for: always,
		property: {
			displayName: 'Keep Input Files',
			name: 'keepInputFiles',
			type: 'boolean',
			default: true,
			description: "Whether the item's own files travel on beside the result",
		},
	},
	{
		for: always,
		property: {
			displayName: 'Max Retry Wait (Seconds)',
			name: 'maxRetryWaitSeconds',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 300,
			description: 'A wait before a retry that is longer than this is not begun',
		},
	},
	{
		for: (endpoint) => endpoint.answer !== 'json',
		property: {
			displayName: 'Output File Name',
			name: 'outputFileName',
			type: 'string',
			default: '',
			placeholder: 'e.g. greeting',
			description:
				'Name of the audio file that comes out. Its extension becomes what the audio is.',
		},
	},
	{
		for: always,
		property: {
			displayName: 'Rate Limit Retries',
			name: 'rateLimitRetries',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 3,
			description:
				'How often a call is sent again that the service refused before doing any work (status 429, or 503 with Retry-After)',
		},
	},
	{
		for: (endpoint) => endpoint.voiceSample === true,
		property: {
			displayName: 'Sample Check',
			name: 'sampleCheck',
			type: 'options',
			options: [
				{ name: 'Off', value: 'off', description: 'Do not look at the sample' },
				{
					name: 'Reject',
					value: 'reject',
					description: 'Refuse a sample outside the recommendations before it is paid for',
				},
				{
					name: 'Warn',
					value: 'warn',
					description: "Send it and list what was found in 'sampleWarnings'",
				},
			],
			default: 'warn',
			description:
				'What to do with a sample that does not follow the recommendations: about 10 seconds, one speaker, 16 kHz or more',
		},
	},
	{
		for: (endpoint) => endpoint.body !== 'audio',
		property: {
			displayName: 'Text Field Name',
			name: 'textFieldName',
			type: 'string',
			default: 'text',
			description: 'The name under which the text is sent',
		},
	},
];

/** The 'Options' collection of an operation: those options that mean something for its endpoint, A to Z. */
export function optionsFor(endpoint: Endpoint): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: options.filter((option) => option.for(endpoint)).map((option) => option.property),
	};
}
