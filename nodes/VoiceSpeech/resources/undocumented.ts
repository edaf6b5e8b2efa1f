import type { INodeProperties } from 'n8n-workflow';

import { audioInput, language, text } from '../descriptions/fields';
import type { Operation } from '../descriptions/operation';

const notice: INodeProperties = {
	displayName:
		"The service does not document this operation's request and response: choose what to send with 'Input Type'",
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

/** What differs between the operations, for which docs/openapi.yaml documents only path and scope. */
interface Row extends Pick<Operation, 'resource' | 'operation' | 'name' | 'action'> {
	/** Also the last part of the path. */
	scope: string;
	defaultInput: 'audio' | 'text';
	/** A sentence that comes first in the description. */
	hint?: string;
}

const rows: Row[] = [
	{
		resource: 'call',
		operation: 'analyzeCall',
		name: 'Post-Call Analytics',
		action: 'Get post-call analytics',
		scope: 'post-call-analytics',
		defaultInput: 'audio',
	},
	{
		resource: 'call',
		operation: 'detectAnsweringMachine',
		name: 'Detect Answering Machine',
		action: 'Detect answering machine',
		scope: 'amd',
		defaultInput: 'audio',
	},
	{
		resource: 'language',
		operation: 'analyzeSentiment',
		name: 'Analyze Sentiment',
		action: 'Analyze sentiment',
		scope: 'sentiment',
		defaultInput: 'text',
	},
	{
		resource: 'language',
		operation: 'detectLanguage',
		name: 'Detect Language',
		action: 'Detect language',
		scope: 'language-detection',
		defaultInput: 'text',
	},
	{
		resource: 'language',
		operation: 'recognizeIntent',
		name: 'Recognize Intent',
		action: 'Recognize intent',
		scope: 'intent',
		defaultInput: 'text',
	},
	{
		resource: 'speech',
		operation: 'createTranscription',
		name: 'Create Transcription',
		action: 'Create transcription (not speech to text)',
		scope: 'transcriptions',
		defaultInput: 'audio',
		hint: 'For a transcript, use Speech to Text.',
	},
];

function createOperation({ scope, defaultInput, hint, ...names }: Row): Operation {
	const path = `/ai/${scope}` as const;
	const description = `Send audio, text or JSON to ${path}. What it expects and returns is not documented.`;
	return {
		...names,
		description: hint === undefined ? description : `${hint} ${description}`,
		endpoint: { path, scope, body: 'chosen', returns: 'any' },
		fields: [
			notice,
			{ ...inputType, default: defaultInput },
			...audioInput,
			text,
			language,
			jsonBody,
		],
	};
}

/** The user chooses what is sent, and every response is passed on. */
export const undocumented = rows.map(createOperation);
