import type { INodeProperties } from 'n8n-workflow';

import { audioInput, language, text } from '../descriptions/fields';
import type { Operation } from '../descriptions/operation';

const undocumentedNotice: INodeProperties = {
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
		{
			name: 'Audio',
			value: 'audio',
			description:
				'Send an audio file as a form (multipart/form-data). For recordings, try this first.',
		},
		{
			name: 'Audio (Raw Body)',
			value: 'audioBody',
			description: 'Send only the audio file, without a form around it',
		},
		{ name: 'JSON', value: 'json', description: 'Send a JSON body that you write' },
		{ name: 'Text', value: 'text', description: 'Send text as JSON. For texts, try this first.' },
	],
	default: 'audio',
	description:
		"What to send. If the service refuses it, ask your provider what it expects. Then choose another type, or add 'Extra Fields'.",
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

const audioFields = [undocumentedNotice, inputType, ...audioInput, text, language, jsonBody];
const textFields = [
	undocumentedNotice,
	{ ...inputType, default: 'text' },
	...audioInput,
	text,
	language,
	jsonBody,
];

/** What is known of an operation of which docs/openapi.yaml documents only path and scope. */
interface UndocumentedOperation
	extends Pick<Operation, 'resource' | 'operation' | 'name' | 'action'> {
	/** Also the last part of the path. */
	scope: string;
	/** What 'Input Type' is set to until the user changes it. */
	defaultInput: 'audio' | 'text';
	/** A sentence on what to use it for, which the description begins with. */
	purpose: string;
}

/** An operation for which the user chooses what is sent, and whose response is passed on, whatever it is. */
export function createUndocumentedOperation({
	resource,
	operation,
	name,
	action,
	scope,
	defaultInput,
	purpose,
}: UndocumentedOperation): Operation {
	const path = `/ai/${scope}` as const;
	return {
		resource,
		operation,
		name,
		action,
		description: `${purpose} What ${path} expects and returns is not documented.`,
		endpoint: { path, scope, body: 'chosen', returns: 'any' },
		fields: defaultInput === 'audio' ? audioFields : textFields,
	};
}
