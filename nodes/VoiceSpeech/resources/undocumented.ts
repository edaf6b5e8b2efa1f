import type { INodeProperties } from 'n8n-workflow';

import { audioInput, language, text } from '../descriptions/fields';
import type { Operation } from '../descriptions/menu';

const notice: INodeProperties = {
	displayName:
		"The service does not document this operation's request and response. Choose what to send with Input Type.",
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
			{ name: 'JSON', value: 'json', description: 'Send the JSON body that you write' },
			{ name: 'Text', value: 'text', description: 'Send a text as JSON' },
		],
		default: defaultInput,
		description:
			'What to send. If the service refuses the default, ask your provider what this operation takes, then choose JSON or add Extra Fields.',
	};
}

const jsonBody: INodeProperties = {
	displayName: 'JSON Body',
	name: 'jsonBody',
	type: 'json',
	default: '{}',
	required: true,
	displayOptions: { show: { inputType: ['json'] } },
	description: 'The body of the request, sent exactly as written here',
};

interface Undocumented extends Pick<Operation, 'resource' | 'operation' | 'name' | 'action'> {
	scope: string;
	defaultInput: 'audio' | 'text';
}

/**
 * An operation of which docs/openapi.yaml documents only path and scope: the user chooses what is sent, and every
 * response is passed on.
 */
export function undocumented({ scope, defaultInput, ...operation }: Undocumented): Operation {
	const path = `/ai/${scope}` as const;
	return {
		...operation,
		description: `Call ${path}. The service does not document its request and response.`,
		endpoint: { path, scope, body: 'chosen', returns: 'any' },
		fields: [notice, inputType(defaultInput), ...audioInput, text, language, jsonBody],
	};
}
