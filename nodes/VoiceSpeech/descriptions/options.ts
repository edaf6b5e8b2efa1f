import type { INodeProperties } from 'n8n-workflow';

import type { Endpoint } from '../endpoint';

/** A row of 'Headers' or 'Query Parameters'. */
export interface NamedValue {
	name: string;
	value: string;
}

/** The values of 'Options' for one item. */
export interface CallOptions {
	/** From the end of the upload to the start of the response; 0 means no limit. */
	answerTimeoutSeconds: number;
	concurrency: number;
	convertAudio: boolean;
	fileFieldName: string;
	formatCheck: 'reject' | 'off';
	headers: NamedValue[];
	includeInputFields: boolean;
	includeResponseHeaders: boolean;
	keepInputFiles: boolean;
	maxRetryWaitSeconds: number;
	outputFileName: string;
	queryParameters: NamedValue[];
	rateLimitRetries: number;
	sampleCheck: 'reject' | 'warn' | 'off';
	textFieldName: string;
	textOnly: boolean;
}

/** An option: its property in n8n, except for the name, and the endpoints that it is for. */
export interface Option extends Omit<INodeProperties, 'name'> {
	/** The endpoints for which the option has an effect; all if undefined. For the others it is not shown. */
	appliesTo?: (endpoint: Endpoint) => boolean;
}

/** The rows of an option that adds something with a name and a value to the request. */
function createNameValueRow(row: string, example: string): INodeProperties['options'] {
	const name: INodeProperties = {
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: `e.g. ${example}`,
	};
	const value: INodeProperties = {
		displayName: 'Value',
		name: 'value',
		type: 'string',
		default: '',
	};
	return [{ displayName: row, name: 'parameter', values: [name, value] }];
}

/**
 * Every option with its label, default and type, by which readOptions.ts reads it, A to Z by label. An option
 * with `routing` sends a field: the node sends it as a part or JSON field.
 *
 * The `default` of a switch is what it does when the user adds it; a switch that is not added has the opposite value.
 */
export const options: Record<keyof CallOptions, Option> = {
	answerTimeoutSeconds: {
		displayName: 'Answer Timeout (Seconds)',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 1800,
		description:
			"Maximum time to wait for the response after the upload. 0 means no limit. If 'Timeout' is set in the request options, it applies instead.",
	},
	concurrency: {
		displayName: 'Concurrency',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 5,
		description: 'Maximum number of simultaneous calls',
	},
	convertAudio: {
		displayName: 'Convert Audio',
		type: 'boolean',
		default: false,
		description:
			"Whether to convert recordings in other formats, such as voice messages (Opus) and videos, to WAV or M4A before they are sent. If off, the file is sent as it is, or refused by 'Format Check'.",
		appliesTo: ({ body }) => body !== 'json',
	},
	fileFieldName: {
		displayName: 'File Field Name',
		type: 'string',
		default: 'file',
		description: 'Name of the field in the request that contains the audio',
		appliesTo: ({ body }) => body !== 'json',
	},
	formatCheck: {
		displayName: 'Format Check',
		type: 'options',
		options: [
			{ name: 'Off', value: 'off', description: 'Send the file in any format' },
			{ name: 'Reject', value: 'reject', description: 'Fail before the file is sent' },
		],
		default: 'reject',
		description: 'What to do if the file is not WAV, MP3, M4A or FLAC',
		appliesTo: ({ body }) => body === 'audio',
	},
	headers: {
		displayName: 'Headers',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Header',
		default: {},
		options: createNameValueRow('Header', 'X-Request-ID'),
		description: 'Headers to send in addition to those of the node',
		appliesTo: ({ body }) => body === 'chosen',
	},
	includeInputFields: {
		displayName: 'Include Input Fields',
		type: 'boolean',
		default: true,
		description:
			"Whether to add the input item's fields to the output. A field of the response replaces an input field of the same name.",
	},
	includeResponseHeaders: {
		displayName: 'Include Response Headers',
		type: 'boolean',
		default: true,
		description:
			"Whether to add the status and the headers of the response to the output, in the field 'response'",
	},
	keepInputFiles: {
		displayName: 'Keep Input Files',
		type: 'boolean',
		default: true,
		description: 'Whether to pass the input files on to the output',
	},
	maxRetryWaitSeconds: {
		displayName: 'Max Retry Wait (Seconds)',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 300,
		description: 'If the service asks for a longer wait, fail instead of waiting',
	},
	outputFileName: {
		displayName: 'Output File Name',
		type: 'string',
		default: '',
		placeholder: 'e.g. greeting',
		description: 'Name of the file in the output. Its format decides the extension.',
		appliesTo: ({ returns }) => returns !== 'json',
	},
	queryParameters: {
		displayName: 'Query Parameters',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Parameter',
		default: {},
		options: createNameValueRow('Parameter', 'detail'),
		description: 'Parameters to add to the address of the request',
		appliesTo: ({ body }) => body === 'chosen',
	},
	rateLimitRetries: {
		displayName: 'Rate Limit Retries',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 3,
		description:
			'Maximum number of times to repeat a call if the service asks to try again later (status 429, or 503 with Retry-After)',
	},
	sampleCheck: {
		displayName: 'Sample Check',
		type: 'options',
		options: [
			{ name: 'Off', value: 'off', description: 'Send the sample without checking it' },
			{ name: 'Reject', value: 'reject', description: 'Fail before the sample is sent' },
			{
				name: 'Warn',
				value: 'warn',
				description: "Send it and list the findings in 'sampleWarnings'",
			},
		],
		default: 'warn',
		description:
			"What to do if the sample's length or sampling rate differs from what the service asks for",
		appliesTo: ({ voiceSample }) => voiceSample === true,
	},
	textFieldName: {
		displayName: 'Text Field Name',
		type: 'string',
		default: 'text',
		description: 'Name of the field in the request that contains the text',
		appliesTo: ({ body }) => body !== 'audio',
	},
	textOnly: {
		displayName: 'Text Only',
		type: 'boolean',
		default: true,
		description: 'Whether to output only the text, without other fields of the response',
		appliesTo: ({ transcript }) => transcript === true,
	},
};

/** Whether an option has an effect for an endpoint. */
export function applies({ appliesTo }: Option, endpoint: Endpoint): boolean {
	return appliesTo?.(endpoint) ?? true;
}

/** The 'Options' collection of an operation. */
export function createOptions(endpoint: Endpoint): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: Object.entries(options)
			.filter(([, option]) => applies(option, endpoint))
			.map(([name, option]) => {
				const property = { name, ...option };
				delete property.appliesTo;
				return property;
			}),
	};
}
