import type { INodeParameters } from 'n8n-workflow';

import { modes } from '../support/calls';
import { n8n } from '../support/n8n';
import { clone, extra, speak, speechToText, undocumented, useNode } from '../support/node';
import { outcomesOf } from '../support/outcome';
import { oggOpus } from '../support/recordings';

const node = useNode();

const unsent = 'Nothing was sent, so nothing was debited.';
const fillIn = `Fill it in, or check its expression. ${unsent}`;
const correct = `Correct it, or check the expression in it. ${unsent}`;

interface Bad {
	what: string;
	/** Only `$json.it` makes an item good or bad. */
	parameters: INodeParameters;
	good: unknown;
	bad: unknown;
	message: string;
	description: string;
}

const value = '={{ $json.it }}';
const jsonBody = { ...undocumented, inputType: 'json', jsonBody: value };
const audioUrl = { ...speechToText, audioSource: 'url', audioUrl: value };

function empty(label: string, parameters: INodeParameters, bad: unknown = ' \n', good = 'x'): Bad {
	const what = `'${label}' that is ${JSON.stringify(bad)}`;
	return { what, parameters, good, bad, message: `'${label}' is empty`, description: fillIn };
}

const badParameters: Bad[] = [
	empty('Voice ID', { ...speak, voiceId: value }),
	empty('Voice Name', { ...clone, voiceName: value }),
	empty('Text', { ...undocumented, inputType: 'text', text: value }),
	...[' \n', undefined, null].map((bad) => empty('Text', { ...speak, text: value }, bad)),
	...[' \n', undefined, null].map((bad) => empty('JSON Body', jsonBody, bad, '{}')),
	...[{ a: 1 }, [{ a: 1 }]].map((bad) => ({
		what: `a text that is an object: ${JSON.stringify(bad)}`,
		parameters: { ...speak, text: value },
		good: 'x',
		bad,
		message: "The field 'text' must be a text, but its value is an object",
		description: `Check the expression. Send one field of the object, or its JSON: {{ JSON.stringify(...) }}. ${unsent}`,
	})),
	{
		what: 'a body that is not JSON',
		parameters: jsonBody,
		good: '{}',
		bad: "{'a': 1}",
		message: "'JSON Body' is not valid JSON (",
		description: correct,
	},
	...['[1]', 'null', '5'].map((bad) => ({
		what: `extra fields for a body that is not an object: ${bad}`,
		parameters: { ...jsonBody, ...extra(['a', 'b']) },
		good: '{}',
		bad,
		message: "'Extra Fields' cannot be added to 'JSON Body', which is not an object",
		description: `Put the fields into 'JSON Body', or make it an object. ${unsent}`,
	})),
	{
		what: 'an extra field that is not JSON',
		parameters: { ...speechToText, ...extra(['a', value, 'json']) },
		good: '[1]',
		bad: '[1',
		message: "'Extra Fields: a' is not valid JSON (",
		description: correct,
	},
	{
		what: 'an extra field without a name',
		parameters: { ...speechToText, ...extra([value, 'b']) },
		good: 'b',
		bad: ' ',
		message: "A row of 'Extra Fields' has no name",
		description: `Name the field, or remove the row. ${unsent}`,
	},
	{
		what: 'a field that the item does not have',
		parameters: { ...speechToText, binaryPropertyName: value },
		good: 'data',
		bad: 'audio',
		message: "The item has no file in the field 'audio'",
		description: "Set 'Input Data Field Name' to one of the fields it has: 'data'.",
	},
	{
		what: 'a URL that is empty',
		parameters: audioUrl,
		good: 'http://127.0.0.1:9/a.wav',
		bad: '',
		message: "'Audio URL' is empty",
		description: "Enter the address of a recording, or set 'Audio Source'",
	},
	{
		what: 'a URL that is not a web address',
		parameters: audioUrl,
		good: 'http://127.0.0.1:9/a.wav',
		bad: 'file:///etc/passwd',
		message: "'Audio URL' is not a web address",
		description: "It must start with 'https://' or 'http://', and it is 'file:///etc/passwd'.",
	},
	{
		what: 'an environment that is not allowed',
		parameters: { ...speechToText, allowedEnvironment: value },
		good: 'sandbox',
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

	it.each(badParameters)('any item if one has $what', async (each) => {
		const values = [each.good, each.bad, each.good];
		const items = await node.itemsWithFile(...values.map((it) => ({ it }) as never));
		const { error } = await node.run(each.parameters, { items });
		expect(error?.message.slice(0, each.message.length)).toBe(each.message);
		expect(error).toMatchObject({ context: { itemIndex: 1 } });
		expect(node.service.arrived).toBe(0);
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
			'the file of an undocumented operation and the language',
			{ ...undocumented, language: 'en', options: language },
			'File',
		],
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
		[
			'there is white space around the name',
			{ ...clone, options: { fileFieldName: ' name ' } },
			'File',
		],
		[
			'an extra field would replace one of them',
			{ ...clone, options: name, ...extra(['name', 'Bert']) },
			'File',
		],
	])('%s', async (_what, parameters, option) => {
		const { message, description } = await node.runUnsent(parameters);
		expect(`${message} ${description}`).toContain(`'${option} Field Name'`);
	});

	it('only for this item, with continue', async () => {
		const fields = ['file', 'name', 'audio'].map((field) => ({ field }));
		const output = await node.run(
			{ ...clone, options: { fileFieldName: '={{ $json.field }}' } },
			{ items: await node.itemsWithFile(...fields), node: modes.continue },
		);
		expect(node.service.arrived).toBe(2);
		const errors = outcomesOf(output).map(({ error }) => error);
		expect(errors).toEqual([undefined, expect.stringContaining("'File Field Name'"), undefined]);
	});
});

// Every format: test/audio/upload.test.ts.
describe.each<[string, INodeParameters]>([
	['speech to text', speechToText],
	['voice cloning', clone],
])('a file for %s', (_what, parameters) => {
	const html = Buffer.from('<!DOCTYPE html><html>Sign in</html>');
	const wants = 'not WAV, MP3, M4A or FLAC';
	const convert =
		"Convert it first. On n8n Cloud, use the 'HTTP Request' node with a conversion service. On your own server, use e.g. ffmpeg -i input -ar 16000 -ac 1 output.flac.";
	const notAudio = 'This is not an audio file: check which file the previous step outputs.';
	const off = "If the service accepts it anyway, set the option 'Format Check' to 'Off'.";
	const check = 'Check the step that creates it.';

	it.each<[string, Buffer, string | undefined, string, string]>([
		['OGG Opus', oggOpus(), 'a.wav', `The file 'a.wav' is OGG Opus, ${wants}`, `${convert} ${off}`],
		['HTML', html, undefined, `The file is HTML, ${wants}`, `${notAudio} ${off}`],
		['empty, with a name', Buffer.alloc(0), 'a.wav', "The file 'a.wav' is empty", check],
		['empty, without a name', Buffer.alloc(0), undefined, 'The file is empty', check],
	])('is refused: %s', async (_case, bytes, fileName, message, howTo) => {
		const data = { bytes, mimeType: 'audio/wav', ...(fileName ? { fileName } : {}) };
		expect(await node.runUnsent(parameters, { files: { data } })).toEqual({
			message,
			description: `${howTo} ${unsent}`,
		});
	});

	it('is sent regardless of its format with formatCheck off', async () => {
		const data = { bytes: oggOpus(), mimeType: 'audio/ogg', fileName: 'a.ogg' };
		const given = { ...parameters, options: { formatCheck: 'off' } };
		const { request } = await node.runOnce(given, { files: { data } });
		expect(request.parts[0]?.fileName).toBe('a.ogg');
	});
});
