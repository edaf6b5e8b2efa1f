import type { INodeProperties } from 'n8n-workflow';

import { audioInput } from './audioInput';
import { language, text } from './parameters';

function inputType(inputTypeDefault: string): INodeProperties {
	return {
		displayName: 'Input Type',
		name: 'inputType',
		type: 'options',
		options: [
			{ name: 'Audio', value: 'audio', description: 'Send a recording as multipart/form-data' },
			{ name: 'JSON', value: 'json', description: 'Send exactly the body you write' },
			{ name: 'Text', value: 'text', description: 'Send a text as JSON' },
		],
		default: inputTypeDefault,
		description:
			'What to send. The service does not document what this operation takes: if the default is refused, ask your provider and choose JSON or set Extra Fields.',
	};
}

const jsonBody: INodeProperties = {
	displayName: 'JSON Body',
	name: 'jsonBody',
	type: 'json',
	default: '{}',
	required: true,
	displayOptions: { show: { inputType: ['json'] } },
	description: 'The body, sent as it stands here',
};

/** The input of an operation whose payload is not documented. */
export function undocumentedInput(inputTypeDefault: 'audio' | 'text'): INodeProperties[] {
	return [inputType(inputTypeDefault), ...audioInput, text, language, jsonBody];
}
