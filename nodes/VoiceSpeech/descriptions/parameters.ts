import type { INodeProperties } from 'n8n-workflow';

import type { Environment } from '../../../credentials/checkedCredential';
import type { ChoiceProperty } from './readValue';

const page =
	'https://github.com/n8n-nodes-voice-speech/n8n-nodes-voice-speech/blob/main/docs/how-to.md';

/** A link to a heading of docs/how-to.md, for a notice, whose text n8n's editor shows as HTML. */
export function linkToHowTo(heading: string, words: string): string {
	return `<a href="${page}#${heading}" target="_blank">${words}</a>`;
}

/** The resource whose operations the node carries out itself, without a credential. */
export const localResource = 'recording';

// Parameters that several operations share, or that a call reads by itself. menu.ts recognizes a shared one by its object,
// so a copy, such as 'Input Type' with another default, is another parameter.

/** A condition to hide a parameter. n8n ignores such a condition for an operation without 'Input Type'. */
const inputIsNotAudio = { inputType: ['json', 'text'] };

export const audioSourceParameter: ChoiceProperty<'file' | 'url'> = {
	displayName: 'Audio Source',
	name: 'audioSource',
	type: 'options',
	options: [
		{
			name: 'File From Previous Step',
			value: 'file',
			description: 'A file that the previous step outputs',
		},
		{ name: 'URL', value: 'url', description: 'The web address of an audio file' },
	],
	default: 'file',
	displayOptions: { hide: inputIsNotAudio },
	description: 'Where the audio comes from',
};

const defineAddressLink = linkToHowTo(
	'let-an-agent-listen-and-let-it-speak',
	'let the model define the address',
);

/** Default name of a field with a file, as in n8n's own nodes. */
export const defaultFileField = 'data';

export const binaryPropertyNameParameter: INodeProperties = {
	displayName: 'Input Data Field Name',
	name: 'binaryPropertyName',
	type: 'string',
	default: defaultFileField,
	required: true,
	displayOptions: { show: { audioSource: ['file'] }, hide: inputIsNotAudio },
	description:
		"Leave 'data' if the item has one file: the node finds it under any name. If it has several, enter one of the names in the tab 'Binary' of the input.",
	hint: "Leave 'data' if the item has one file",
};

export const audioUrlParameter: INodeProperties = {
	displayName: 'Audio URL',
	name: 'audioUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://files.example.com/recording.mp3',
	displayOptions: { show: { audioSource: ['url'] }, hide: inputIsNotAudio },
	description: 'Address of the audio file. The API key is never sent to it.',
};

/** The parameters that choose the audio. */
export const audioInputParameters: INodeProperties[] = [
	audioSourceParameter,
	{
		displayName: `An agent passes no files to its tools: set 'Audio Source' to 'URL', and ${defineAddressLink}`,
		name: 'toolAudioNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { '@tool': [true], audioSource: ['file'] }, hide: inputIsNotAudio },
	},
	binaryPropertyNameParameter,
	audioUrlParameter,
];

/** Sent as `language` where it is set. */
export const languageParameter: INodeProperties = {
	displayName: 'Language',
	name: 'language',
	type: 'string',
	default: '',
	placeholder: 'e.g. en',
	displayOptions: { hide: { inputType: ['audioBody', 'json'] } },
	description:
		'Code of the spoken language, such as en or de. Which codes the service accepts, and whether it needs one, is not documented. If empty, none is sent.',
	routing: { send: { type: 'body', property: 'language' } },
};

export const outputPropertyNameParameter: INodeProperties = {
	displayName: 'Output Data Field Name',
	name: 'outputPropertyName',
	type: 'string',
	default: defaultFileField,
	required: true,
	description: 'Name of the output field to put the audio file in',
};

/** The parameter has no routing, because the option 'Text Field Name' gives the name under which it is sent. */
export const textParameter: INodeProperties = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	displayOptions: { hide: { inputType: ['audio', 'audioBody', 'json'] } },
	placeholder: 'e.g. Hello, how can I help you?',
	description: 'The text to send. Its maximum length is not documented.',
};

/** `audio` is a form with audio, `audioBody` the audio alone, `text` an object with the text, `json` a body of the user. */
export type InputType = 'audio' | 'audioBody' | 'text' | 'json';

/** What an undocumented operation sends. */
export const inputTypeParameter: ChoiceProperty<InputType> = {
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
			description: 'Send the audio file itself as the body of the request',
		},
		{ name: 'JSON', value: 'json', description: 'Send a JSON body that you write' },
		{ name: 'Text', value: 'text', description: 'Send text as JSON. For texts, try this first.' },
	],
	default: 'audio',
	description:
		"What to send. If the service refuses it, ask your provider what it expects. Then choose another type, or add 'Extra Fields'.",
};

/** The body of an undocumented operation that the user writes. */
export const jsonBodyParameter: INodeProperties = {
	displayName: 'JSON Body',
	name: 'jsonBody',
	type: 'json',
	default: '{}',
	required: true,
	displayOptions: { show: { inputType: ['json'] } },
	description: "The body of the request. It is sent unchanged, unless you add 'Extra Fields'.",
};

/** One row of 'Extra Fields'. */
export interface ExtraField {
	name?: unknown;
	type?: unknown;
	value?: unknown;
}

export const extraFieldTypeParameter: ChoiceProperty<'text' | 'json'> = {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	options: [
		{
			name: 'JSON',
			value: 'json',
			description: 'For a number, true or false, a list or an object',
		},
		{ name: 'Text', value: 'text' },
	],
	default: 'text',
};

/** Fields of the request in addition to the standard ones, or in their place. */
export const extraFieldsParameter: INodeProperties = {
	displayName: 'Extra Fields',
	name: 'extraFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Field',
	default: {},
	displayOptions: { hide: { inputType: ['audioBody'], resource: [localResource] } },
	description:
		'Fields to add to the request, only if your provider asks for them. A row named file, text, language, name or voice_id replaces that field.',
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
				extraFieldTypeParameter,
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					placeholder: 'e.g. large',
				},
			],
		},
	],
};

/** Prevents calls with the wrong wallet. */
export const allowedEnvironmentParameter: ChoiceProperty<'any' | Environment> = {
	displayName: 'Allowed Keys',
	name: 'allowedEnvironment',
	type: 'options',
	options: [
		{ name: 'Sandbox and Live', value: 'any', description: 'Accept the keys of both wallets' },
		{
			name: 'Sandbox Only',
			value: 'sandbox',
			description: 'Refuse live keys, to protect the live wallet',
		},
		{ name: 'Live Only', value: 'live', description: 'Refuse sandbox keys' },
	],
	default: 'any',
	displayOptions: { hide: { resource: [localResource] } },
	description: 'Which keys this node accepts. It refuses others before anything is sent.',
};
