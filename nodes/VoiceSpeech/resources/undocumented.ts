import type { INodeProperties } from 'n8n-workflow';

import { audioInput, language, text } from '../descriptions/fields';
import type { Operation } from '../descriptions/menu';

const notice: INodeProperties = {
	displayName:
		"The service does not document this operation's request and response. Choose what to send with 'Input Type'.",
	name: 'undocumentedNotice',
	type: 'notice',
	default: '',
};

function inputType(defaultInput: 'audio' | 'text'): INodeProperties {
	return {
		displayName: 'Input Type',
		name: 'inputType',
		type: 'options',
		options: [
			{ name: 'Audio', value: 'audio', description: 'Send an audio file as multipart/form-data' },
			{ name: 'JSON', value: 'json', description: 'Send a JSON body that you write' },
			{ name: 'Text', value: 'text', description: 'Send text as JSON' },
		],
		default: defaultInput,
		description:
			"What to send. If the service refuses it, ask your provider what this operation expects, then choose 'JSON' or add 'Extra Fields'.",
	};
}

const jsonBody: INodeProperties = {
	displayName: 'JSON Body',
	name: 'jsonBody',
	type: 'json',
	default: '{}',
	required: true,
	displayOptions: { show: { inputType: ['json'] } },
	description: "The body of the request. It is sent unchanged, unless you add 'Extra Fields'.",
};

interface Undocumented extends Pick<Operation, 'resource' | 'operation' | 'name'> {
	scope: string;
	defaultInput: 'audio' | 'text';
}

/** The user chooses what is sent, and every response is passed on. */
function undocumented({ scope, defaultInput, ...operation }: Undocumented): Operation {
	const path = `/ai/${scope}` as const;
	return {
		...operation,
		action: operation.name.charAt(0) + operation.name.slice(1).toLowerCase(),
		description: `Send audio, text or JSON to ${path}. What it expects and returns is not documented.`,
		endpoint: { path, scope, body: 'chosen', returns: 'any' },
		fields: [notice, inputType(defaultInput), ...audioInput, text, language, jsonBody],
	};
}

// docs/openapi.yaml documents only path and scope of these operations.

export const analyzeCall = undocumented({
	resource: 'call',
	operation: 'analyzeCall',
	name: 'Analyze Call',
	scope: 'post-call-analytics',
	defaultInput: 'audio',
});

export const detectAnsweringMachine = undocumented({
	resource: 'call',
	operation: 'detectAnsweringMachine',
	name: 'Detect Answering Machine',
	scope: 'amd',
	defaultInput: 'audio',
});

export const analyzeSentiment = undocumented({
	resource: 'language',
	operation: 'analyzeSentiment',
	name: 'Analyze Sentiment',
	scope: 'sentiment',
	defaultInput: 'text',
});

export const detectLanguage = undocumented({
	resource: 'language',
	operation: 'detectLanguage',
	name: 'Detect Language',
	scope: 'language-detection',
	defaultInput: 'text',
});

export const recognizeIntent = undocumented({
	resource: 'language',
	operation: 'recognizeIntent',
	name: 'Recognize Intent',
	scope: 'intent',
	defaultInput: 'text',
});

export const createTranscription = undocumented({
	resource: 'speech',
	operation: 'createTranscription',
	name: 'Create Transcription',
	scope: 'transcriptions',
	defaultInput: 'audio',
});
