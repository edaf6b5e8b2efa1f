import type { INodeParameters } from 'n8n-workflow';

import { n8n } from '../support/n8n';
import { callWav, speak, speechToText, undocumented, useNode } from '../support/node';
import { flac, m4a, mp3, oggOpus, wav } from '../support/recordings';

const node = useNode();

const clone = { resource: 'voice', operation: 'clone', voiceName: 'Anna' };
const unsent = 'Nothing was sent, so nothing was debited.';
const fillIn = `Fill it in, or check its expression. ${unsent}`;

interface Bad {
	what: string;
	/** `$json.it` is the only thing that makes an item good or bad. */
	parameters: INodeParameters;
	good: unknown;
	bad: unknown;
	message: string;
	description: string;
}

function extraField(field: object): INodeParameters {
	return { extraFields: { field: [{ name: 'a', value: 'b', ...field }] } } as INodeParameters;
}

const isEmpty = (label: string) => ({
	good: 'x',
	bad: ' \n',
	message: `'${label}' is empty`,
	description: fillIn,
});

const it_ = '={{ $json.it }}';

const badParameters: Bad[] = [
	{ what: 'no text to speak', parameters: { ...speak, text: it_ }, ...isEmpty('Text') },
	{ what: 'no voice', parameters: { ...speak, voiceId: it_ }, ...isEmpty('Voice ID') },
	{
		what: 'no name for a voice',
		parameters: { ...clone, voiceName: it_ },
		...isEmpty('Voice Name'),
	},
	{
		what: 'no text',
		parameters: { ...undocumented, inputType: 'text', text: it_ },
		...isEmpty('Text'),
	},
	{
		what: 'a text that an expression does not find',
		parameters: { ...speak, text: it_ },
		...isEmpty('Text'),
		bad: undefined,
	},
	...[{ a: 1 }, [{ a: 1 }]].map((bad) => ({
		what: `a text that is an object: ${JSON.stringify(bad)}`,
		parameters: { ...speak, text: it_ },
		good: 'x',
		bad,
		message: "The field 'text' must be a text, but its value is an object",
		description: `Check the expression. Send one field of the object, or its JSON: {{ JSON.stringify(...) }}. ${unsent}`,
	})),
	{
		what: 'a text that is null',
		parameters: { ...speak, text: it_ },
		...isEmpty('Text'),
		bad: null,
	},
	...[undefined, null].map((bad) => ({
		what: `a JSON body that is ${bad}`,
		parameters: { ...undocumented, inputType: 'json', jsonBody: it_ },
		...isEmpty('JSON Body'),
		good: '{}',
		bad,
	})),
	{
		what: 'no JSON body',
		parameters: { ...undocumented, inputType: 'json', jsonBody: it_ },
		...isEmpty('JSON Body'),
		good: '{}',
	},
	{
		what: 'a body that is no JSON',
		parameters: { ...undocumented, inputType: 'json', jsonBody: it_ },
		good: '{}',
		bad: "{'a': 1}",
		message: "'JSON Body' is not valid JSON (",
		description: `Correct it, or check the expression in it. ${unsent}`,
	},
	...['[1]', 'null', '5'].map((bad) => ({
		what: `extra fields for a body that is no object: ${bad}`,
		parameters: { ...undocumented, inputType: 'json', jsonBody: it_, ...extraField({}) },
		good: '{}',
		bad,
		message: "'Extra Fields' cannot be added to 'JSON Body', which is not an object",
		description: `Put the fields into 'JSON Body', or make it an object. ${unsent}`,
	})),
	{
		what: 'an extra field that is not JSON',
		parameters: { ...speechToText, ...extraField({ type: 'json', value: it_ }) },
		good: '[1]',
		bad: '[1',
		message: "'Extra Fields: a' is not valid JSON (",
		description: `Correct it, or check the expression in it. ${unsent}`,
	},
	{
		what: 'an extra field without a name',
		parameters: { ...speechToText, ...extraField({ name: it_ }) },
		good: 'b',
		bad: ' ',
		message: "A row of 'Extra Fields' has no name",
		description: `Name the field, or remove the row. ${unsent}`,
	},
	{
		what: 'the wrong field',
		parameters: { ...speechToText, binaryPropertyName: it_ },
		good: 'data',
		bad: 'audio',
		message: "The item has no file in the field 'audio'",
		description: "Set 'Input Data Field Name' to one of the fields it has: 'data'.",
	},
	{
		what: 'an address that is empty',
		parameters: { ...speechToText, audioSource: 'url', audioUrl: it_ },
		good: 'http://127.0.0.1:9/a.wav',
		bad: '',
		message: "'Audio URL' is empty",
		description: "Enter the address of a recording, or set 'Audio Source'",
	},
	{
		what: 'an address that is none of the web',
		parameters: { ...speechToText, audioSource: 'url', audioUrl: it_ },
		good: 'http://127.0.0.1:9/a.wav',
		bad: 'file:///etc/passwd',
		message: "'Audio URL' is not a web address",
		description: "It must start with 'https://' or 'http://', and it is 'file:///etc/passwd'.",
	},
	{
		what: 'an environment that is not allowed',
		parameters: { ...speechToText, allowedEnvironment: it_ },
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

	it.each(badParameters)('any item where one has $what', async (each) => {
		const items = await Promise.all(
			[each.good, each.bad, each.good].map(
				async (value) => await node.engine.item({ it: value } as never, { data: callWav }),
			),
		);
		const { error } = await node.run(each.parameters, { items });
		expect(error?.message.slice(0, each.message.length)).toBe(each.message);
		expect(error).toMatchObject({ context: { itemIndex: 1 } });
		expect(node.service.arrived).toBe(0);
	});

	it('a required parameter that is left empty in the panel: n8n itself refuses it', async () => {
		await expect(node.run({ ...speak, text: '' })).rejects.toThrow(
			n8n.namesEmptyParameter ? 'Parameter "Text" is required' : 'The workflow has issues',
		);
		expect(node.service.arrived).toBe(0);
	});

	it('a live key where only sandbox keys are allowed', async () => {
		const parameters = { ...speechToText, allowedEnvironment: 'sandbox' };
		expect(
			await node.runUnsent(parameters, {
				credential: { apiKey: 'eak_live_wire', environment: 'live' },
			}),
		).toEqual({
			message: 'This node allows sandbox keys only, and the credential has a live key',
			description: `Choose another credential, or change 'Allowed Environment'. ${unsent}`,
		});
	});
});

describe('where the formats are documented', () => {
	const unknown = Buffer.alloc(600, 3);
	const html = Buffer.from('<!DOCTYPE html><html>Sign in</html>');
	const wants = 'not WAV, MP3, M4A or FLAC';
	const convert =
		"Convert it first. On n8n Cloud, use the 'HTTP Request' node with a conversion service. On your own server, use e.g. ffmpeg -i input -ar 16000 -ac 1 output.flac.";
	const noRecording = 'This is not an audio file: check which file the previous step outputs.';
	const off = `If the service accepts it anyway, set the option 'Format Check' to 'Off'. ${unsent}`;

	describe.each<[string, INodeParameters]>([
		['speech to text', speechToText],
		['voice cloning', clone],
	])('%s', (_what, parameters) => {
		it.each<[string, Buffer, string | undefined, string, string]>([
			['OGG Opus', oggOpus(), 'memo.wav', `The file 'memo.wav' is OGG Opus, ${wants}`, convert],
			['HTML', html, undefined, `The file is HTML, ${wants}`, noRecording],
			[
				'text',
				Buffer.from('Yes, that is right.'),
				'a.mp3',
				`The file 'a.mp3' is text, ${wants}`,
				noRecording,
			],
		])('refuses %s', async (_case, bytes, fileName, message, howTo) => {
			const data = { bytes, mimeType: 'audio/wav', ...(fileName ? { fileName } : {}) };
			expect(await node.runUnsent(parameters, { files: { data } })).toEqual({
				message,
				description: `${howTo} ${off}`,
			});
		});

		it.each([
			['The file is empty', {}],
			["The file 'call.wav' is empty", { fileName: 'call.wav' }],
		])('refuses an empty file: %s', async (message, name) => {
			const data = { bytes: Buffer.alloc(0), mimeType: 'audio/wav', ...name };
			expect(await node.runUnsent(parameters, { files: { data } })).toEqual({
				message,
				description: `Check the step that creates it. ${unsent}`,
			});
		});

		it('sends anything with formatCheck off', async () => {
			const data = { bytes: oggOpus(), mimeType: 'audio/ogg', fileName: 'a.ogg' };
			const given = { ...parameters, options: { formatCheck: 'off' } };
			const { request } = await node.runOnce(given, { files: { data } });
			expect(request.parts[0]?.fileName).toBe('a.ogg');
		});

		it.each([wav(), mp3(), m4a(), flac(), unknown])(
			'sends what is accepted (%#)',
			async (bytes) => {
				const data = { bytes, mimeType: 'application/octet-stream' };
				await node.runOnce(parameters, { files: { data } });
			},
		);
	});

	it.each([oggOpus(), html])('and nowhere else: anything is sent (%#)', async (bytes) => {
		await node.runOnce(undocumented, { files: { data: { bytes, mimeType: 'audio/x' } } });
	});
});
