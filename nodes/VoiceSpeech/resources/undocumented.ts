import type { INodeProperties } from 'n8n-workflow';

import { audioInput, language, text } from '../descriptions/fields';
import type { Operation } from '../descriptions/operation';

const notice: INodeProperties = {
	displayName:
		"The service does not document this operation's request and response. Choose what to send with 'Input Type'.",
	name: 'undocumentedNotice',
	type: 'notice',
	default: '',
};

const inputType: INodeProperties = {
	displayName: 'Input Type',
	name: 'inputType',
	type: 'options',
	options: [
		{ name: 'Audio', value: 'audio', description: 'Send an audio file as multipart/form-data' },
		{
			name: 'Audio (Raw Body)',
			value: 'audioBody',
			description: 'Send an audio file as the body, with its type as Content-Type',
		},
		{ name: 'JSON', value: 'json', description: 'Send a JSON body that you write' },
		{ name: 'Text', value: 'text', description: 'Send text as JSON' },
	],
	default: 'audio',
	description:
		"What to send. If the service refuses it, ask your provider what this operation expects, then choose 'JSON' or add 'Extra Fields'.",
};

const jsonBody: INodeProperties = {
	displayName: 'JSON Body',
	name: 'jsonBody',
	type: 'json',
	default: '{}',
	required: true,
	displayOptions: { show: { inputType: ['json'] } },
	description: "The body of the request. It is sent unchanged, unless you add 'Extra Fields'.",
};

type Row = [
	resource: Operation['resource'],
	operation: string,
	name: string,
	scope: string,
	defaultInput: 'audio' | 'text',
];

/** docs/openapi.yaml documents only path and scope of these operations. */
const rows: Row[] = [
	['call', 'analyzeCall', 'Analyze Call', 'post-call-analytics', 'audio'],
	['call', 'detectAnsweringMachine', 'Detect Answering Machine', 'amd', 'audio'],
	['language', 'analyzeSentiment', 'Analyze Sentiment', 'sentiment', 'text'],
	['language', 'detectLanguage', 'Detect Language', 'language-detection', 'text'],
	['language', 'recognizeIntent', 'Recognize Intent', 'intent', 'text'],
	['speech', 'createTranscription', 'Create Transcription', 'transcriptions', 'audio'],
];

/** The user chooses what is sent, and every response is passed on. */
export const undocumented = rows.map(
	([resource, operation, name, scope, defaultInput]): Operation => ({
		resource,
		operation,
		name,
		action: name.charAt(0) + name.slice(1).toLowerCase(),
		description: `Send audio, text or JSON to /ai/${scope}. What it expects and returns is not documented.`,
		endpoint: { path: `/ai/${scope}`, scope, body: 'chosen', returns: 'any' },
		fields: [
			notice,
			{ ...inputType, default: defaultInput },
			...audioInput,
			text,
			language,
			jsonBody,
		],
	}),
);
