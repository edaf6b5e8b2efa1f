import type { INodeParameters } from 'n8n-workflow';

import { acceptedFormatsText } from '../../nodes/VoiceSpeech/service/endpoint.ts';
import { readAudioFile } from '../support/media/audioFiles.mts';
import { n8n } from '../support/n8n.mts';
import { useNode } from '../support/node.mts';
import {
	cloneParameters,
	createExtraFields,
	speechToTextParameters,
	textToSpeechParameters,
	undocumentedParameters,
	undocumentedTextParameters,
} from '../support/nodeParameters.mts';
import { unsent } from '../support/outcome.mts';

const node = useNode();

const correct =
	'Correct it. To put a value into it, write it like { "text": {{ JSON.stringify($json.text) }} }, without quotation marks around {{ }}.';

interface Bad {
	what: string;
	parameters: INodeParameters;
	/** The value of `$json.it`, which an expression puts into the parameter. */
	bad: unknown;
	message: string;
	description: string;
}

const value = '={{ $json.it }}';
const jsonBody = { ...undocumentedParameters, inputType: 'json', jsonBody: value };
const audioUrl = { ...speechToTextParameters, audioSource: 'url', audioUrl: value };

const badParameters: Bad[] = [
	{
		what: 'a text of white space',
		parameters: { ...textToSpeechParameters, text: value },
		bad: ' \n',
		message: "'Text' is empty",
		description: `Fill it in, or check its expression. ${unsent}`,
	},
	{
		what: 'an object as the text',
		parameters: { ...textToSpeechParameters, text: value },
		bad: { a: 1 },
		message: "'Text' must be a text, but its expression returns an object",
		description: `Choose one field of the object. If it is a date such as $now, add .toISO(). ${unsent}`,
	},
	{
		what: 'an empty text, although an extra field replaces it',
		parameters: {
			...textToSpeechParameters,
			text: value,
			...createExtraFields({ name: 'text', value: 'a' }),
		},
		bad: '',
		message: "'Text' is empty",
		description: unsent,
	},
	...[
		{ label: 'Language', parameters: { ...speechToTextParameters, language: value } },
		{ label: 'Voice ID', parameters: { ...textToSpeechParameters, voiceId: value } },
		{ label: 'Voice Name', parameters: { ...cloneParameters, voiceName: value } },
		{ label: 'Audio URL', parameters: audioUrl },
		{
			label: 'Output Data Field Name',
			parameters: { ...textToSpeechParameters, outputPropertyName: value },
		},
	].map(({ label, parameters }) => ({
		what: `a list as '${label}'`,
		parameters,
		bad: ['a'],
		message: `'${label}' must be a text, but its expression returns a list`,
		description: unsent,
	})),
	...[
		{ label: 'Input Type', parameters: { ...undocumentedTextParameters, inputType: value } },
		{
			label: 'Audio Source',
			parameters: { ...audioUrl, audioUrl: 'https://a.example', audioSource: value },
		},
		{ label: 'Allowed Keys', parameters: { ...speechToTextParameters, allowedEnvironment: value } },
		{
			label: 'Other Formats',
			parameters: { ...speechToTextParameters, options: { otherFormats: value } },
		},
	].map(({ label, parameters }) => ({
		what: `an unknown choice as '${label}'`,
		parameters,
		bad: 'JSON',
		message: `'${label}' is 'JSON', which is not one of its choices`,
		description: unsent,
	})),
	{
		what: 'a JSON body that is not valid JSON',
		parameters: jsonBody,
		bad: "{'a': 1}",
		message: expect.stringMatching(/^'JSON Body' is not valid JSON \(/),
		description: correct,
	},
	{
		what: 'extra fields for a JSON body that is a list',
		parameters: { ...jsonBody, ...createExtraFields({ name: 'a', value: 'b' }) },
		bad: '[1]',
		message: "'Extra Fields' cannot be added to 'JSON Body', which is not an object",
		description: `Put the fields into 'JSON Body', or make it an object. ${unsent}`,
	},
	{
		what: 'an extra field that is not valid JSON',
		parameters: {
			...speechToTextParameters,
			...createExtraFields({ name: 'a', value, type: 'json' }),
		},
		bad: '[1',
		message: expect.stringMatching(/^'Extra Fields: a' is not valid JSON \(/),
		description: correct,
	},
	{
		what: 'two extra fields with one name',
		parameters: {
			...textToSpeechParameters,
			...createExtraFields({ name: 'voice_id', value: 'b' }, { name: value, value: 'c' }),
		},
		bad: 'voice_id',
		message: "'Extra Fields' has two rows for 'voice_id'",
		description: `JSON would keep only one of them. Remove the other, or give the field one value of the type JSON, such as a list. ${unsent}`,
	},
	{
		what: 'an extra field without a name',
		parameters: { ...speechToTextParameters, ...createExtraFields({ name: value, value: 'b' }) },
		bad: ' ',
		message: "A row of 'Extra Fields' has no name",
		description: `Enter a name, or remove the row. ${unsent}`,
	},
	{
		what: 'an empty audio URL',
		parameters: audioUrl,
		bad: '',
		message: "'Audio URL' is empty",
		description: "Enter the address of a recording, or set 'Audio Source'",
	},
	{
		what: 'an audio URL of a local file',
		parameters: audioUrl,
		bad: 'file:///etc/passwd',
		message: "'Audio URL' is not a web address",
		description: "It must start with 'https://' or 'http://', and it is 'file:///etc/passwd'.",
	},
	{
		what: 'allowed keys without that of the credential',
		parameters: { ...speechToTextParameters, allowedEnvironment: value },
		bad: 'live',
		message: "This node allows live keys only, and the credential 'Test' has a sandbox key",
		description: `Choose another credential, or change 'Allowed Keys'. ${unsent}`,
	},
];

// test/call/fields and test/descriptions test more values, and test/engine/inputFile tests missing files.
describe('a bad parameter', () => {
	it.each(badParameters)(
		'is not sent: $what',
		async ({ parameters, bad, message, description }) => {
			const error = await node.runUnsent(parameters, { json: { it: bad } as never });
			expect(error.message).toEqual(message);
			expect(error.description).toContain(description);
		},
	);

	it('is refused by n8n itself if it is required, and empty in the panel', async () => {
		await expect(node.run({ ...textToSpeechParameters, text: '' })).rejects.toThrow(
			n8n.namesEmptyParameter ? 'Parameter "Text" is required' : 'The workflow has issues',
		);
		expect(node.service.requestCount).toBe(0);
	});
});

const nameFileField = (name: string) => ({ options: { fileFieldName: name } });

it.each<{ what: string; parameters: INodeParameters; option: string }>([
	{
		what: 'file and name',
		parameters: { ...cloneParameters, ...nameFileField('name') },
		option: 'File',
	},
	{
		what: 'file and name, apart from white space',
		parameters: { ...cloneParameters, ...nameFileField(' name ') },
		option: 'File',
	},
	{
		what: 'file, name and an extra field',
		parameters: {
			...cloneParameters,
			...nameFileField('name'),
			...createExtraFields({ name: 'name', value: 'B' }),
		},
		option: 'File',
	},
	{
		what: 'file and the empty language',
		parameters: { ...undocumentedParameters, ...nameFileField('language') },
		option: 'File',
	},
	{
		what: 'text and language',
		parameters: { ...undocumentedTextParameters, options: { textFieldName: 'language' } },
		option: 'Text',
	},
])('sends nothing if these fields have the same name: $what', async ({ parameters, option }) => {
	const { message, description } = await node.runUnsent(parameters);
	expect(`${message} ${description}`).toContain(`'${option} Field Name'`);
});

// test/call/openBody.test.mts tests every format.
it.each<{ what: string; parameters: INodeParameters }>([
	{ what: 'speech to text', parameters: speechToTextParameters },
	{ what: 'voice cloning', parameters: cloneParameters },
])(
	"accepts only documented formats for $what, unless 'Other Formats' is 'Send As It Is'",
	async ({ parameters }) => {
		const files = {
			data: { bytes: readAudioFile('telephone.amr'), mimeType: 'audio/amr', fileName: 'a.amr' },
		};
		expect(await node.runUnsent(parameters, { files })).toEqual({
			message: `The file 'a.amr' is AMR, not ${acceptedFormatsText}`,
			description: `Use a recording in another format, or convert it to ${acceptedFormatsText} with another program. If the service accepts it anyway, set the option 'Other Formats' to 'Send As It Is'. ${unsent}`,
		});
		const unchecked = { ...parameters, options: { otherFormats: 'send' } };
		const { request } = await node.runOnce(unchecked, { files });
		expect(request.parts[0]?.fileName).toBe('a.amr');
	},
);

// test/call/connectionOptions.test.mts tests more of the request options.
it.each([
	{
		what: "a 'Timeout' that is not a number",
		requestOptions: { timeout: 'soon' },
		says: "'Timeout' in the request options is not a valid number of milliseconds",
	},
	{
		what: 'a public proxy that would get the key unencrypted',
		requestOptions: { proxy: 'http://proxy.example.com:3128' },
		says: 'would get the key unencrypted',
	},
])('sends nothing with $what', async ({ requestOptions, says }) => {
	const { message } = await node.runUnsent({ ...textToSpeechParameters, requestOptions });
	expect(message).toContain(says);
});
