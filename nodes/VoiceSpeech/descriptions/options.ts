import { acceptedFormatsText, type Endpoint } from '../service/endpoint';
import {
	createChoiceOption,
	createNumberOption,
	createRowsOption,
	createBooleanOption,
	createTextOption,
} from './optionKinds';

function takesAudio({ input }: Endpoint): boolean {
	return input !== 'text';
}

function takesChosenInput({ input }: Endpoint): boolean {
	return input === 'chosen';
}

/** Every option of the node, A to Z by label. */
export const optionDefinitions = {
	concurrency: createNumberOption({
		displayName: 'Concurrency',
		changesRequest: false,
		minimum: 1,
		default: 5,
		description: 'Maximum number of calls that this node makes at the same time',
	}),
	exactCuts: createBooleanOption({
		displayName: 'Exact Cuts',
		changesRequest: false,
		description:
			'Whether to cut WAV and Opus at the exact time, and not at the quietest place in the last 30 seconds of a part',
		appliesTo: () => false,
	}),
	fileFieldName: createTextOption({
		displayName: 'File Field Name',
		changesRequest: true,
		default: 'file',
		description: 'Name of the field in the request that contains the audio',
		appliesTo: takesAudio,
	}),
	headers: createRowsOption({
		displayName: 'Headers',
		changesRequest: true,
		placeholder: 'Add Header',
		row: 'Header',
		exampleName: 'X-Request-ID',
		description: 'Headers to send in addition to those of the node',
		appliesTo: takesChosenInput,
	}),
	includeInputFields: createBooleanOption({
		displayName: 'Include Input Fields',
		changesRequest: false,
		description:
			"Whether to add the input item's fields and the name of its audio file ('fileName') to the output. A field of the response replaces an input field of the same name.",
	}),
	includeResponseHeaders: createBooleanOption({
		displayName: 'Include Response Headers',
		changesRequest: false,
		description:
			"Whether to add the status and the headers of the response to the output, in the field 'response'",
	}),
	keepInputFiles: createBooleanOption({
		displayName: 'Keep Input Files',
		changesRequest: false,
		description: 'Whether to pass the input files on to the output',
	}),
	linkHours: createNumberOption({
		displayName: 'Link (Hours)',
		changesRequest: false,
		minimum: 0.001,
		maximum: 8760,
		default: 0,
		valueWhenAdded: 24,
		description:
			"How many hours a link to the audio works, which the output then has as 'url'. Anyone with the link can listen, without a login.",
		appliesTo: ({ returns }) => returns !== 'json',
	}),
	maxRetryWaitSeconds: createNumberOption({
		displayName: 'Max Retry Wait (Seconds)',
		changesRequest: false,
		minimum: 0,
		default: 300,
		description:
			'Longest wait before a call is retried. If the service asks for a longer one, the call fails.',
	}),
	otherFormats: createChoiceOption({
		displayName: 'Other Formats',
		changesRequest: true,
		choices: [
			{
				name: 'Convert',
				value: 'convert',
				description:
					'Convert most voice messages, browser recordings and videos to WAV or M4A. What cannot be converted fails before it is sent.',
			},
			{ name: 'Reject', value: 'reject', description: 'Fail before the file is sent' },
			{ name: 'Send As It Is', value: 'send', description: 'Send the file without converting it' },
		],
		default: 'convert',
		description: `What to do with audio that is not ${acceptedFormatsText}`,
		appliesTo: takesAudio,
	}),
	outputFileName: createTextOption({
		displayName: 'Output File Name',
		changesRequest: false,
		default: '',
		placeholder: 'e.g. greeting',
		description:
			'Name of the file in the output. The node sets the extension that fits the format.',
		appliesTo: ({ returns }) => returns !== 'json',
	}),
	queryParameters: createRowsOption({
		displayName: 'Query Parameters',
		changesRequest: true,
		placeholder: 'Add Parameter',
		row: 'Parameter',
		exampleName: 'detail',
		description: 'Parameters to add to the address of the request',
		appliesTo: takesChosenInput,
	}),
	rateLimitRetries: createNumberOption({
		displayName: 'Rate Limit Retries',
		changesRequest: false,
		minimum: 0,
		default: 3,
		description:
			"Maximum number of times to retry a call if the service asks to try again later. n8n's 'Retry On Fail' is independent of it.",
	}),
	responseTimeoutSeconds: createNumberOption({
		displayName: 'Response Timeout (Seconds)',
		changesRequest: false,
		minimum: 0,
		default: 1800,
		description:
			"Maximum time to wait for the response after the upload. 0 means no limit. If 'Timeout' is set in the request options, it applies instead.",
	}),
	sampleCheck: createChoiceOption({
		displayName: 'Sample Check',
		changesRequest: false,
		choices: [
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
		appliesTo: ({ takesVoiceSample }) => takesVoiceSample === true,
	}),
	textFieldName: createTextOption({
		displayName: 'Text Field Name',
		changesRequest: true,
		default: 'text',
		description: 'Name of the field in the request that contains the text',
		appliesTo: ({ input }) => input !== 'audio',
	}),
	textOnly: createBooleanOption({
		displayName: 'Text Only',
		changesRequest: false,
		description: 'Whether to output only the text, without other fields of the response',
		appliesTo: ({ returnsTranscript }) => returnsTranscript === true,
	}),
};

/** The values of all options for one item. */
export type CallOptions = {
	[Name in keyof typeof optionDefinitions]: ReturnType<(typeof optionDefinitions)[Name]['read']>;
};
