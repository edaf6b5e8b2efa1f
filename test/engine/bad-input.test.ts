import type { INodeParameters } from 'n8n-workflow';

import { n8n } from '../support/n8n';
import { clone, extra, speak, speechToText, undocumented, useNode } from '../support/node';
import { oggOpus } from '../support/recordings';

const node = useNode();

const unsent = 'Nothing was sent, so nothing was debited.';
const fillIn = `Fill it in, or check its expression. ${unsent}`;
const correct = `Correct it, or check the expression in it. ${unsent}`;

interface Bad {
	what: string;
	parameters: INodeParameters;
	/** `$json.it`. */
	bad: unknown;
	message: string;
	description: string;
}

const value = '={{ $json.it }}';
const jsonBody = { ...undocumented, inputType: 'json', jsonBody: value };
const audioUrl = { ...speechToText, audioSource: 'url', audioUrl: value };

function empty(label: string, parameters: INodeParameters, bad: unknown = ' \n'): Bad {
	const what = `'${label}' that is ${JSON.stringify(bad)}`;
	return { what, parameters, bad, message: `'${label}' is empty`, description: fillIn };
}

const badParameters: Bad[] = [
	empty('Voice ID', { ...speak, voiceId: value }),
	empty('Voice Name', { ...clone, voiceName: value }),
	empty('Text', { ...undocumented, inputType: 'text', text: value }),
	...[' \n', undefined, null].map((bad) => empty('Text', { ...speak, text: value }, bad)),
	...[' \n', undefined, null].map((bad) => empty('JSON Body', jsonBody, bad)),
	...[{ a: 1 }, [{ a: 1 }]].map((bad) => ({
		what: `a text that is an object: ${JSON.stringify(bad)}`,
		parameters: { ...speak, text: value },
		bad,
		message: "The field 'text' must be a text, but its value is an object",
		description: `Check the expression. Send one field of the object, or its JSON: {{ JSON.stringify(...) }}. ${unsent}`,
	})),
	{
		what: 'a body that is not JSON',
		parameters: jsonBody,
		bad: "{'a': 1}",
		message: "'JSON Body' is not valid JSON (",
		description: correct,
	},
	...['[1]', 'null', '5'].map((bad) => ({
		what: `extra fields for a body that is not an object: ${bad}`,
		parameters: { ...jsonBody, ...extra(['a', 'b']) },
		bad,
		message: "'Extra Fields' cannot be added to 'JSON Body', which is not an object",
		description: `Put the fields into 'JSON Body', or make it an object. ${unsent}`,
	})),
	{
		what: 'an extra field that is not JSON',
		parameters: { ...speechToText, ...extra(['a', value, 'json']) },
		bad: '[1',
		message: "'Extra Fields: a' is not valid JSON (",
		description: correct,
	},
	{
		what: 'an extra field without a name',
		parameters: { ...speechToText, ...extra([value, 'b']) },
		bad: ' ',
		message: "A row of 'Extra Fields' has no name",
		description: `Name the field, or remove the row. ${unsent}`,
	},
	{
		what: 'a field that the item does not have',
		parameters: { ...speechToText, binaryPropertyName: value },
		bad: 'audio',
		message: "The item has no file in the field 'audio'",
		description: "Set 'Input Data Field Name' to one of the fields it has: 'data'.",
	},
	{
		what: 'a URL that is empty',
		parameters: audioUrl,
		bad: '',
		message: "'Audio URL' is empty",
		description: "Enter the address of a recording, or set 'Audio Source'",
	},
	{
		what: 'a URL that is not a web address',
		parameters: audioUrl,
		bad: 'file:///etc/passwd',
		message: "'Audio URL' is not a web address",
		description: "It must start with 'https://' or 'http://', and it is 'file:///etc/passwd'.",
	},
	{
		what: 'an environment that is not allowed',
		parameters: { ...speechToText, allowedEnvironment: value },
		bad: 'live',
		message: 'This node allows live keys only, and the credential has a sandbox key',
		description: `Choose another credential, or change 'Allowed Environment'. ${unsent}`,
	},
];

describe('nothing is sent for', () => {
	it.each(badParameters)('$what', async ({ parameters, bad, message, description }) => {
		const error = await node.runUnsent(parameters, { json: { it: bad } as never });
		expect(error.message?.slice(0, message.length)).toBe(message);
		expect(error.description).toContain(description);
	});

	it('a required parameter that is empty in the panel: n8n itself refuses it', async () => {
		await expect(node.run({ ...speak, text: '' })).rejects.toThrow(
			n8n.namesEmptyParameter ? 'Parameter "Text" is required' : 'The workflow has issues',
		);
		expect(node.service.arrived).toBe(0);
	});

	it('a live key if only sandbox keys are allowed', async () => {
		const parameters = { ...speechToText, allowedEnvironment: 'sandbox' };
		const credential = { apiKey: 'eak_live_wire', environment: 'live' };
		expect(await node.runUnsent(parameters, { credential })).toEqual({
			message: 'This node allows sandbox keys only, and the credential has a live key',
			description: `Choose another credential, or change 'Allowed Environment'. ${unsent}`,
		});
	});

	it.each([
		['Format Check', { ...speechToText, options: { formatCheck: 'Reject' } }],
		['Sample Check', { ...clone, options: { sampleCheck: 'Reject' } }],
		['Input Type', { ...undocumented, inputType: '={{ "JSON" }}', text: 'Hello' }],
		['Audio Source', { ...speechToText, audioSource: '={{ "URL" }}', audioUrl: 'https://a' }],
	])('%s that is not one of its choices', async (label, parameters) => {
		const { message, description } = await node.runUnsent(parameters);
		expect(message).toMatch(new RegExp(`^'${label}' is '.*', which is not one of its choices$`));
		expect(description).toContain('Nothing was sent');
	});
});

describe('nothing is sent if an option names a field like another one', () => {
	const [language, name] = [{ fileFieldName: 'language' }, { fileFieldName: 'name' }];
	const sentiment = { resource: 'language', operation: 'analyzeSentiment', inputType: 'text' };

	it.each<[string, INodeParameters, string]>([
		['the file of clone and its name', { ...clone, options: name }, 'File'],
		['the file and the language', { ...speechToText, language: 'en', options: language }, 'File'],
		[
			'the file and the language, which is not set',
			{ ...undocumented, language: '', options: language },
			'File',
		],
		[
			'the text and the language',
			{ ...sentiment, text: 'Hi', language: 'en', options: { textFieldName: 'language' } },
			'Text',
		],
		['the same, with white space', { ...clone, options: { fileFieldName: ' name ' } }, 'File'],
		['the same, and an extra field', { ...clone, options: name, ...extra(['name', 'B']) }, 'File'],
	])('%s', async (_what, parameters, option) => {
		const { message, description } = await node.runUnsent(parameters);
		expect(`${message} ${description}`).toContain(`'${option} Field Name'`);
	});
});

// Every format: test/audio/upload.test.ts.
it.each<[string, INodeParameters]>([
	['speech to text', speechToText],
	['voice cloning', clone],
])(
	'a file for %s has a documented format, unless formatCheck is off',
	async (_what, parameters) => {
		const files = { data: { bytes: oggOpus(), mimeType: 'audio/ogg', fileName: 'a.ogg' } };
		expect(await node.runUnsent(parameters, { files })).toEqual({
			message: "The file 'a.ogg' is OGG Opus, not WAV, MP3, M4A or FLAC",
			description: `Convert it first. On n8n Cloud, use the 'HTTP Request' node with a conversion service. On your own server, use e.g. ffmpeg -i input -ar 16000 -ac 1 output.flac. If the service accepts it anyway, set the option 'Format Check' to 'Off'. ${unsent}`,
		});
		const unchecked = { ...parameters, options: { formatCheck: 'off' } };
		const { request } = await node.runOnce(unchecked, { files });
		expect(request.parts[0]?.fileName).toBe('a.ogg');
	},
);
