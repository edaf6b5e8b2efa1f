import type { INodeParameters } from 'n8n-workflow';

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

const value = '={{ $json.it }}';
const audioUrl = { ...speechToTextParameters, audioSource: 'url', audioUrl: value };

/** `bad` is the value of `$json.it`, which an expression puts into the parameter. */
const badParameters: Array<{ parameters: INodeParameters; bad: unknown; message: string }> = [
	{
		parameters: { ...textToSpeechParameters, text: value },
		bad: { a: 1 },
		message: "'Text' must be a text, but its expression returns an object",
	},
	...[
		{ label: 'Language', parameters: { ...speechToTextParameters, language: value } },
		{ label: 'Audio URL', parameters: audioUrl },
		{
			label: 'Output Data Field Name',
			parameters: { ...textToSpeechParameters, outputPropertyName: value },
		},
	].map(({ label, parameters }) => ({
		parameters,
		bad: ['a'],
		message: `'${label}' must be a text, but its expression returns a list`,
	})),
	...[
		{ label: 'Input Type', parameters: { ...undocumentedTextParameters, inputType: value } },
		{ label: 'Audio Source', parameters: { ...audioUrl, audioSource: value } },
		{ label: 'Allowed Keys', parameters: { ...speechToTextParameters, allowedEnvironment: value } },
		{
			label: 'Other Formats',
			parameters: { ...speechToTextParameters, options: { otherFormats: value } },
		},
	].map(({ label, parameters }) => ({
		parameters,
		bad: 'JSON',
		message: `'${label}' is 'JSON', which is not one of its choices`,
	})),
	{
		parameters: {
			...undocumentedParameters,
			inputType: 'json',
			jsonBody: value,
			...createExtraFields({ name: 'a', value: 'b' }),
		},
		bad: '[1]',
		message: "'Extra Fields' cannot be added to 'JSON Body', which is not an object",
	},
	{
		parameters: {
			...textToSpeechParameters,
			...createExtraFields({ name: 'voice_id', value: 'b' }, { name: value, value: 'c' }),
		},
		bad: 'voice_id',
		message: "'Extra Fields' has two rows for 'voice_id'",
	},
	{ parameters: audioUrl, bad: '', message: "'Audio URL' is empty" },
	{
		parameters: { ...speechToTextParameters, allowedEnvironment: value },
		bad: 'live',
		message: "This node allows live keys only, and the credential 'Test' has a sandbox key",
	},
	{
		parameters: { ...cloneParameters, options: { fileFieldName: value } },
		bad: ' name ',
		message: "The option 'File Field Name' is 'name', which is the name of another field",
	},
	{
		parameters: { ...undocumentedTextParameters, options: { textFieldName: value } },
		bad: 'language',
		message: "The option 'Text Field Name' is 'language', which is the name of another field",
	},
];

// test/call/fields and test/descriptions test more values, and test/engine/inputFile tests missing files.
describe('a bad parameter', () => {
	it.each(badParameters)('is not sent: $message', async ({ parameters, bad, message }) => {
		const error = await node.runUnsent(parameters, { json: { it: bad } as never });
		expect(error.message).toBe(message);
		expect(error.description).toContain(unsent);
	});

	it('is a text of white space, although an extra field replaces it', async () => {
		const parameters = {
			...textToSpeechParameters,
			text: '={{ " \\n" }}',
			...createExtraFields({ name: 'text', value: 'a' }),
		};
		expect(await node.runUnsent(parameters)).toEqual({
			message: "'Text' is empty",
			description: `Fill it in, or check its expression. ${unsent}`,
		});
	});

	it('is refused by n8n itself if it is required, and empty in the panel', async () => {
		await expect(node.run({ ...textToSpeechParameters, text: '' })).rejects.toThrow(
			n8n.namesEmptyParameter ? 'Parameter "Text" is required' : 'The workflow has issues',
		);
		expect(node.service.requestCount).toBe(0);
	});
});

// test/call/connectionOptions.test.mts tests more of the request options.
it('sends nothing through a public proxy that would get the key unencrypted', async () => {
	const requestOptions = { proxy: 'http://proxy.example.com:3128' };
	const { message } = await node.runUnsent({ ...textToSpeechParameters, requestOptions });
	expect(message).toContain('would get the key unencrypted');
});
