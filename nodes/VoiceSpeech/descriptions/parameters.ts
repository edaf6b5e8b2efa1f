import type { INodeProperties } from 'n8n-workflow';

// Operations without 'Input Type' have no value there: so a field is equal for all, and merged into one (menu.ts).

/** Sent as `language` where it is set. */
export const language: INodeProperties = {
	displayName: 'Language',
	name: 'language',
	type: 'string',
	default: '',
	placeholder: 'e.g. en',
	description:
		'Code of the language, usually two letters. Leave empty to send none: whether the service needs it is not documented.',
	displayOptions: { hide: { inputType: ['json'] } },
	routing: { send: { type: 'body', property: 'language' } },
};

/** Sent by the hook, under the name that 'Text Field Name' gives. By a routing, n8n would resolve it twice more. */
export const text: INodeProperties = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	displayOptions: { hide: { inputType: ['audio', 'json'] } },
};
