import type { INodeProperties } from 'n8n-workflow';

/** One row of 'Extra Fields'. */
export interface ExtraField {
	name: string;
	type?: 'text' | 'json';
	value?: unknown;
}

/** Further parts or fields beside the standard ones, or in their place. */
export const extraFields: INodeProperties = {
	displayName: 'Extra Fields',
	name: 'extraFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Field',
	default: {},
	description:
		'Fields to send besides the standard ones. A field with the name of a standard one replaces it.',
	options: [
		{
			displayName: 'Field',
			name: 'field',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. model',
				},
				{
					displayName: 'Type',
					name: 'type',
					type: 'options',
					options: [
						{ name: 'JSON', value: 'json', description: 'The value is parsed as JSON' },
						{ name: 'Text', value: 'text' },
					],
					default: 'text',
				},
				{ displayName: 'Value', name: 'value', type: 'string', default: '' },
			],
		},
	],
};
