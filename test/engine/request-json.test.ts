import type { INodeParameters } from 'n8n-workflow';

import { extra, speak, textToSpeech, undocumented, useNode } from '../support/node';
import { bytes, json } from '../support/scriptedServer';
import { wav } from '../support/recordings';
import { expectJsonText } from '../support/wire';

const node = useNode();

const sentText = { ...undocumented, inputType: 'text', text: 'Hi' };
const sentJson = { ...undocumented, inputType: 'json' };
const named = (textFieldName: string) => ({ options: { textFieldName } });

it('keeps the connection, so that a response before the end of the request is not lost', async () => {
	node.service.reset(bytes(wav(), 'audio/wav'));
	const { request } = await node.runOnce(speak);
	expect(request.headers.connection).toBe('keep-alive');
});

describe('in JSON', () => {
	it.each<{ what: string; parameters: INodeParameters; text: string }>([
		{
			what: 'an empty language sends none',
			parameters: { ...sentText, language: '' },
			text: '{"text":"Hi"}',
		},
		{
			what: 'textFieldName renames the text, to one name with a dot, not a path',
			parameters: { ...sentText, language: 'en', ...named('input.text[0]') },
			text: '{"input.text[0]":"Hi","language":"en"}',
		},
		{
			what: 'text to speech has it too',
			parameters: { ...speak, ...named('input.text') },
			text: '{"input.text":"Hello","voice_id":"vc_1"}',
		},
		{
			what: 'text about objects',
			parameters: { ...sentText, text: '[object Object]' },
			text: '{"text":"[object Object]"}',
		},
		{
			what: 'white space stays',
			parameters: { ...sentText, text: ' \tHi \u2028\n' },
			text: '{"text":" \\tHi \u2028\\n"}',
		},
		{
			what: 'a number is sent as text',
			parameters: { ...sentText, text: '={{ 5 }}' },
			text: '{"text":"5"}',
		},
		{
			what: 'extra fields have the type that they are given',
			parameters: {
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
			text: '{"text":"Hi","a":"5","b":[12345678901234567890, 0.10],"c":{"d": [null]},"e.f":"x","g":"","h":{"i":1},"j":null}',
		},
		{
			what: 'an extra field replaces a standard one',
			parameters: {
				...speak,
				...extra(['voice_id', '{"name": "Anna"}', 'json'], ['speed', '1.5', 'json']),
			},
			text: '{"text":"Hello","voice_id":{"name": "Anna"},"speed":1.5}',
		},
	])('sends JSON in which $what', async ({ parameters, text }) => {
		node.service.answer =
			parameters.operation === 'textToSpeech' ? bytes(wav(), 'audio/wav') : json({});
		expectJsonText((await node.runOnce(parameters, { files: {} })).request, text);
	});

	it.each<{ what: string; parameters: INodeParameters; expected: object }>([
		{
			what: 'expressions',
			parameters: { ...textToSpeech, text: 'né👋🏽', voiceId: '={{ "vc_" + 2 }}' },
			expected: { voiceId: 'vc_2', characters: 4 },
		},
		{
			what: 'extra fields that replace them',
			parameters: { ...speak, ...extra(['voice_id', 'vc_9'], ['text', 'Good evening']) },
			expected: { voiceId: 'vc_9', characters: 12 },
		},
	])(
		'reports the voice and the characters that were sent: $what',
		async ({ parameters, expected }) => {
			node.service.answer = bytes(wav(), 'audio/wav');
			const { items } = await node.runOnce(parameters, { files: {} });
			expect(items[0]?.json).toMatchObject(expected);
		},
	);
});

describe('jsonBody', () => {
	it.each<{ what: string; jsonBody: string }>([
		{ what: 'white space', jsonBody: ' {\n\t"a" :  1 }\r\n' },
		{
			what: 'numbers that JavaScript cannot represent',
			jsonBody: '{"id":12345678901234567890,"p":1.10,"e":1e400}',
		},
		{ what: 'escapes and repeated names', jsonBody: '{"a":"\\u00e9","a":2,"b":"\\/"}' },
		{ what: 'an array', jsonBody: '[ 1 ]' },
	])('sends jsonBody as it was given: $what', async ({ jsonBody }) => {
		const { request } = await node.runOnce({ ...sentJson, jsonBody });
		expectJsonText(request, jsonBody);
	});

	it.each<{ what: string; jsonBody: string; text: string }>([
		{ what: 'an object', jsonBody: '={{ ({ a: [1, "é"] }) }}', text: '{"a":[1,"é"]}' },
		{
			what: 'a text with JSON',
			jsonBody: '={ "q": {{ JSON.stringify($json.q) }} }',
			text: '{ "q": "say \\"hi\\"" }',
		},
		{ what: 'an empty list', jsonBody: '={{ [] }}', text: '[]' },
		{ what: 'zero', jsonBody: '={{ 0 }}', text: '0' },
	])('sends a jsonBody that an expression yields: $what', async ({ jsonBody, text }) => {
		const scene = { json: { q: 'say "hi"' } };
		expectJsonText((await node.runOnce({ ...sentJson, jsonBody }, scene)).request, text);
	});

	it.each<{ what: string; jsonBody: string; extraFields: ReturnType<typeof extra>; text: string }>([
		{
			what: 'at its top level, replacing fields',
			jsonBody:
				' {"a" : {"b":[1]}, "c": 2 , "\\u0065,\\"}" : [{"f": "]"}, 12345678901234567890, -0] }\n',
			extraFields: extra(['c', '3', 'json'], ['a', 'x'], ['d.e', 'y']),
			text: '{"a":"x","c":3,"e,\\"}":[{"f": "]"}, 12345678901234567890, -0],"d.e":"y"}',
		},
		{
			what: 'into an empty object',
			jsonBody: '{ }',
			extraFields: extra(['a', 'b'], ['c', '', 'json']),
			text: '{"a":"b","c":""}',
		},
		{
			what: 'whose names are numbers',
			jsonBody: '{}',
			extraFields: extra(['={{ 5 }}', 'x']),
			text: '{"5":"x"}',
		},
		{
			what: 'as fields like any other',
			jsonBody: '{}',
			extraFields: extra(['__proto__', 'x']),
			text: '{"__proto__":"x"}',
		},
	])('adds extra fields to jsonBody $what', async ({ jsonBody, extraFields, text }) => {
		const { request } = await node.runOnce({ ...sentJson, jsonBody, ...extraFields });
		expectJsonText(request, text);
	});
});
