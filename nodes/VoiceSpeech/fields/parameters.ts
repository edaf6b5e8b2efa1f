import type { INodeProperties } from 'n8n-workflow';

import type { RequiredParameter } from '../endpoint';

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

/** Sent under the name that 'Text Field Name' gives, `text` by default. */
export const text: INodeProperties = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	displayOptions: { hide: { inputType: ['audio', 'json'] } },
	// Renamed when the body is built: n8n would resolve an expression here for every item.
	routing: { send: { type: 'body', property: 'text' } },
};

export const requiredText: RequiredParameter = { name: 'text', field: 'text', label: 'Text' };
