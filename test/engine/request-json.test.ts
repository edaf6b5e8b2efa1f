import type { INodeParameters } from 'n8n-workflow';

import { extra, speak, textToSpeech, undocumented, useNode } from '../support/node';
import { bytes, json } from '../support/scriptedServer';
import { wav } from '../support/recordings';
import { expectJsonText } from '../support/wire';

const node = useNode();

const sentText = { ...undocumented, inputType: 'text', text: 'Hi' };
const sentJson = { ...undocumented, inputType: 'json' };

it('the connection is kept, so that a response before the end of the request is not lost', async () => {
	node.service.reset(bytes(wav(), 'audio/wav'));
	const { request } = await node.runOnce(speak);
	expect(request.headers.connection).toBe('keep-alive');
});

describe('in JSON', () => {
	it.each<[string, INodeParameters, string]>([
		['an empty language sends none', { ...sentText, language: '' }, '{"text":"Hi"}'],
		[
			'textFieldName renames the text',
			{ ...sentText, options: { textFieldName: 'utterance' } },
			'{"utterance":"Hi"}',
		],
		[
			'a textFieldName with a dot is one name, not a path',
			{ ...sentText, language: 'en', options: { textFieldName: 'input.text[0]' } },
			'{"input.text[0]":"Hi","language":"en"}',
		],
		[
			'an emptied textFieldName is the default',
			{ ...sentText, options: { textFieldName: '' } },
			'{"text":"Hi"}',
		],
		[
			'text to speech has it too',
			{ ...speak, options: { textFieldName: 'input.text' } },
			'{"input.text":"Hello","voice_id":"vc_1"}',
		],
		[
			'a text may be about objects',
			{ ...sentText, text: 'It says [object Object]' },
			'{"text":"It says [object Object]"}',
		],
		['a list of words is a text', { ...sentText, text: "={{ ['a', 'b'] }}" }, '{"text":"a,b"}'],
		[
			'the text is sent with its white space',
			{ ...sentText, text: ' \tHi \u2028\n' },
			'{"text":" \\tHi \u2028\\n"}',
		],
		['a number is sent as text', { ...sentText, text: '={{ 5 }}' }, '{"text":"5"}'],
		[
			'extra fields have the type that they are given',
			{
				...sentText,
				...extra(
					['a', '5'],
					['b', '5', 'json'],
					['c', '{"d": [null]}', 'json'],
					['e.f', 'x'],
					['g', ''],
					['h', '={{ ({ i: 1 }) }}', 'json'],
				),
			},
			'{"text":"Hi","a":"5","b":5,"c":{"d": [null]},"e.f":"x","g":"","h":{"i":1}}',
		],
		[
			'an extra field without a value, of any type, is an empty text',
			{
				...sentText,
				...extra(
					...['', '={{ null }}', '={{ undefined }}', '={{ "" }}'].flatMap((value, at) => [
						[`a${at}`, value] as [string, string],
						[`b${at}`, value, 'text'] as [string, string, 'text'],
						[`c${at}`, value, 'json'] as [string, string, 'json'],
					]),
					['d', 'null', 'json'],
				),
			},
			`{"text":"Hi",${[0, 1, 2, 3].map((at) => `"a${at}":"","b${at}":"","c${at}":""`).join()},"d":""}`,
		],
		[
			'an extra field replaces a standard one',
			{ ...speak, ...extra(['voice_id', '{"name": "Anna"}', 'json'], ['speed', '1.5', 'json']) },
			'{"text":"Hello","voice_id":{"name": "Anna"},"speed":1.5}',
		],
		[
			'a long number in an extra field keeps its digits',
			{ ...sentText, ...extra(['id', '[12345678901234567890, 0.10]', 'json']) },
			'{"text":"Hi","id":[12345678901234567890, 0.10]}',
		],
	])('%s', async (_what, parameters, text) => {
		node.service.answer =
			parameters.operation === 'textToSpeech' ? bytes(wav(), 'audio/wav') : json({});
		expectJsonText((await node.runOnce(parameters, { files: {} })).request, text);
	});

	it.each<[string, INodeParameters, object]>([
		[
			'expressions',
			{ ...textToSpeech, text: 'né👋🏽', voiceId: '={{ "vc_" + 2 }}' },
			{ voiceId: 'vc_2', characters: 4 },
		],
		[
			'extra fields that replace them',
			{ ...speak, ...extra(['voice_id', 'vc_9'], ['text', 'Good evening']) },
			{ voiceId: 'vc_9', characters: 12 },
		],
	])('the output reports the voice and the characters that were sent: %s', async (...row) => {
		const [, parameters, expected] = row;
		node.service.answer = bytes(wav(), 'audio/wav');
		const { items } = await node.runOnce(parameters, { files: {} });
		expect(items[0]?.json).toMatchObject(expected);
	});
});

describe('jsonBody', () => {
	it.each<[string, unknown]>([
		['white space', ' {\n\t"a" :  1 }\r\n'],
		['numbers that JavaScript cannot represent', '{"id":12345678901234567890,"p":1.10,"e":1e400}'],
		['escapes and repeated names', '{"a":"\\u00e9","a":2,"b":"\\/"}'],
		['an array', '[ 1 ]'],
		['a bare text', '"a"'],
		['an empty object', '{}'],
	])('is sent as it was given: %s', async (_what, jsonBody) => {
		const { request } = await node.runOnce({ ...sentJson, jsonBody } as INodeParameters);
		expectJsonText(request, jsonBody as string);
	});

	it.each<[string, string, string]>([
		['an object', '={{ ({ a: [1, "é"] }) }}', '{"a":[1,"é"]}'],
		['a text with JSON', '={ "q": {{ JSON.stringify($json.q) }} }', '{ "q": "say \\"hi\\"" }'],
		...['[]', '{}', '[[]]', '0', 'false'].map((bare): [string, string, string] => [
			bare,
			`={{ ${bare} }}`,
			bare,
		]),
	])('may be an expression that yields %s', async (_what, jsonBody, text) => {
		const scene = { json: { q: 'say "hi"' } };
		expectJsonText((await node.runOnce({ ...sentJson, jsonBody }, scene)).request, text);
	});

	it.each<[string, string, ReturnType<typeof extra>, string]>([
		[
			'at its top level, replacing fields',
			' {"a" : {"b":[1]}, "c": 2 , "\\u0065,\\"}" : [{"f": "]"}] }\n',
			extra(['c', '3', 'json'], ['a', 'x'], ['d.e', 'y']),
			'{"a":"x","c":3,"e,\\"}":[{"f": "]"}],"d.e":"y"}',
		],
		[
			'without touching the digits of its numbers',
			'{"id":12345678901234567890,"n":[1.10,-0],"t":"12345678901234567890"}',
			extra(['a', '1', 'json']),
			'{"id":12345678901234567890,"n":[1.10,-0],"t":"12345678901234567890","a":1}',
		],
		[
			'into an empty object',
			'{ }',
			extra(['a', 'b'], ['c', ''], ['d', '', 'json']),
			'{"a":"b","c":"","d":""}',
		],
		['whose names are numbers', '{}', extra(['={{ 5 }}', 'x']), '{"5":"x"}'],
		['as fields like any other', '{}', extra(['__proto__', 'x']), '{"__proto__":"x"}'],
	])('takes extra fields %s', async (_what, jsonBody, extraFields, text) => {
		const { request } = await node.runOnce({ ...sentJson, jsonBody, ...extraFields });
		expectJsonText(request, text);
	});
});
