import type { INodeParameters } from 'n8n-workflow';

import { extra, speak, textToSpeech, undocumented, useNode } from '../support/node';
import { bytes, json } from '../support/scriptedServer';
import { wav } from '../support/recordings';
import { expectJsonText } from '../support/wire';

const node = useNode();

const sentText = { ...undocumented, inputType: 'text', text: 'Hi' };
const sentJson = { ...undocumented, inputType: 'json' };
const named = (textFieldName: string) => ({ options: { textFieldName } });

it('the connection is kept, so that a response before the end of the request is not lost', async () => {
	node.service.reset(bytes(wav(), 'audio/wav'));
	const { request } = await node.runOnce(speak);
	expect(request.headers.connection).toBe('keep-alive');
});

describe('in JSON', () => {
	it.each<[string, INodeParameters, string]>([
		['an empty language sends none', { ...sentText, language: '' }, '{"text":"Hi"}'],
		[
			'textFieldName renames the text, to one name with a dot, not a path',
			{ ...sentText, language: 'en', ...named('input.text[0]') },
			'{"input.text[0]":"Hi","language":"en"}',
		],
		[
			'text to speech has it too',
			{ ...speak, ...named('input.text') },
			'{"input.text":"Hello","voice_id":"vc_1"}',
		],
		['text about objects', { ...sentText, text: '[object Object]' }, '{"text":"[object Object]"}'],
		['white space stays', { ...sentText, text: ' \tHi \u2028\n' }, '{"text":" \\tHi \u2028\\n"}'],
		['a number is sent as text', { ...sentText, text: '={{ 5 }}' }, '{"text":"5"}'],
		[
			'extra fields have the type that they are given',
			{
				...sentText,
				...extra(
					['a', '5'],
					['b', '[12345678901234567890, 0.10]', 'json'],
					['c', '{"d": [null]}', 'json'],
					['e.f', 'x'],
					['g', ''],
					['h', '={{ ({ i: 1 }) }}', 'json'],
					['j', 'null', 'json'],
				),
			},
			'{"text":"Hi","a":"5","b":[12345678901234567890, 0.10],"c":{"d": [null]},"e.f":"x","g":"","h":{"i":1},"j":null}',
		],
		[
			'an extra field replaces a standard one',
			{ ...speak, ...extra(['voice_id', '{"name": "Anna"}', 'json'], ['speed', '1.5', 'json']) },
			'{"text":"Hello","voice_id":{"name": "Anna"},"speed":1.5}',
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
	it.each<[string, string]>([
		['white space', ' {\n\t"a" :  1 }\r\n'],
		['numbers that JavaScript cannot represent', '{"id":12345678901234567890,"p":1.10,"e":1e400}'],
		['escapes and repeated names', '{"a":"\\u00e9","a":2,"b":"\\/"}'],
		['an array', '[ 1 ]'],
	])('is sent as it was given: %s', async (_what, jsonBody) => {
		const { request } = await node.runOnce({ ...sentJson, jsonBody });
		expectJsonText(request, jsonBody);
	});

	it.each<[string, string, string]>([
		['an object', '={{ ({ a: [1, "é"] }) }}', '{"a":[1,"é"]}'],
		['a text with JSON', '={ "q": {{ JSON.stringify($json.q) }} }', '{ "q": "say \\"hi\\"" }'],
		['an empty list', '={{ [] }}', '[]'],
		['zero', '={{ 0 }}', '0'],
	])('may be an expression that yields %s', async (_what, jsonBody, text) => {
		const scene = { json: { q: 'say "hi"' } };
		expectJsonText((await node.runOnce({ ...sentJson, jsonBody }, scene)).request, text);
	});

	it.each<[string, string, ReturnType<typeof extra>, string]>([
		[
			'at its top level, replacing fields',
			' {"a" : {"b":[1]}, "c": 2 , "\\u0065,\\"}" : [{"f": "]"}, 12345678901234567890, -0] }\n',
			extra(['c', '3', 'json'], ['a', 'x'], ['d.e', 'y']),
			'{"a":"x","c":3,"e,\\"}":[{"f": "]"}, 12345678901234567890, -0],"d.e":"y"}',
		],
		['into an empty object', '{ }', extra(['a', 'b'], ['c', '', 'json']), '{"a":"b","c":""}'],
		['whose names are numbers', '{}', extra(['={{ 5 }}', 'x']), '{"5":"x"}'],
		['as fields like any other', '{}', extra(['__proto__', 'x']), '{"__proto__":"x"}'],
	])('takes extra fields %s', async (_what, jsonBody, extraFields, text) => {
		const { request } = await node.runOnce({ ...sentJson, jsonBody, ...extraFields });
		expectJsonText(request, text);
	});
});
