import type { INodeProperties } from 'n8n-workflow';

/** Where 'Input Type' says that something else is sent. */
const hide = { inputType: ['json', 'text'] };

const audioSource: INodeProperties = {
	displayName: 'Audio Source',
	name: 'audioSource',
	type: 'options',
	options: [
		{ name: 'File From Previous Step', value: 'file', description: 'A file that the item carries' },
		{
			name: 'URL',
			value: 'url',
			description: 'A file on the web, fetched and passed on while it arrives',
		},
	],
	default: 'file',
	displayOptions: { hide },
	description: 'Where the recording comes from',
};

const binaryPropertyName: INodeProperties = {
	displayName: 'Input Data Field Name',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	displayOptions: { show: { audioSource: ['file'] }, hide },
	description:
		"The name of the field with the recording. If it is still 'data' and the item has no such field, the item's only file or only audio file is used.",
};

const audioUrl: INodeProperties = {
	displayName: 'Audio URL',
	name: 'audioUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://files.example.com/recording.mp3',
	displayOptions: { show: { audioSource: ['url'] }, hide },
	description: 'The address of the recording. The API key is never sent to it.',
};

/** The fields that choose a recording. */
export const audioInput: INodeProperties[] = [audioSource, binaryPropertyName, audioUrl];
