import type { INodeParameters } from 'n8n-workflow';

import {
	recording,
	speak,
	speechToText,
	textToSpeech,
	undocumented,
	useNode,
} from '../support/node';
import { bytes, json } from '../support/recorder';
import { flac, m4a, mp3, wav } from '../support/recordings';
import { expectJsonText, expectParts, filePart, textPart } from '../support/wire';

const node = useNode();

const file = filePart('file', 'call.wav', 'audio/wav', recording);

const clone = { resource: 'voice', operation: 'clone', voiceName: 'Anna' };
const sentText = { ...undocumented, inputType: 'text', text: 'Hi' };
const sentJson = { ...undocumented, inputType: 'json' };

function extra(...rows: Array<[name: string, value: unknown, type?: 'text' | 'json']>) {
	const field = rows.map(([name, value, type]) => ({ name, value, ...(type ? { type } : {}) }));
	return { extraFields: { field } } as INodeParameters;
}

describe('in multipart', () => {
	it.each<[string, INodeParameters, Parameters<typeof expectParts>[1]]>([
		['an empty language sends none', { ...speechToText, language: '' }, [file]],
		['a blank language sends none', { ...speechToText, language: ' \n' }, [file]],
		[
			'fileFieldName renames the part',
			{ ...speechToText, language: 'en', options: { fileFieldName: 'audio.file[]' } },
			[filePart('audio.file[]', 'call.wav', 'audio/wav', recording), textPart('language', 'en')],
		],
		[
			'an emptied fileFieldName is the default',
			{ ...speechToText, options: { fileFieldName: '' } },
			[file],
		],
		[
			'extra fields stand behind the standard ones, and may repeat',
			{ ...clone, ...extra(['tag', 'a'], ['model', 'x y'], ['tag', 'b'], ['empty', '']) },
			[
				file,
				textPart('name', 'Anna'),
				textPart('tag', 'a'),
				textPart('model', 'x y'),
				textPart('tag', 'b'),
				textPart('empty', ''),
			],
		],
		[
			'a JSON value goes out as it is written',
			{ ...speechToText, ...extra(['a', ' {"b": [1, null]} ', 'json'], ['c', '5', 'json']) },
			[file, textPart('a', '{"b": [1, null]}'), textPart('c', '5')],
		],
		[
			'a value that an expression yields',
			{
				...speechToText,
				...extra(
					['a', '={{ 5 }}'],
					['b', '={{ ({ c: true }) }}'],
					['d', '={{ [1] }}', 'json'],
					['e', '={{ undefined }}'],
				),
			},
			[
				file,
				textPart('a', '5'),
				textPart('b', '{"c":true}'),
				textPart('d', '[1]'),
				textPart('e', ''),
			],
		],
		[
			'an extra field takes the place of a standard one',
			{ ...speechToText, language: 'en', ...extra(['language', 'de'], ['language', 'fr']) },
			[file, textPart('language', 'de'), textPart('language', 'fr')],
		],
		[
			'an extra field takes the place of the file',
			{ ...speechToText, language: 'en', ...extra(['file', 'https://example.com/a.wav']) },
			[textPart('language', 'en'), textPart('file', 'https://example.com/a.wav')],
		],
		[
			'an extra field takes the place of the renamed file, and of no other',
			{
				...speechToText,
				options: { fileFieldName: 'audio' },
				...extra(['file', 'a']),
			},
			[filePart('audio', 'call.wav', 'audio/wav', recording), textPart('file', 'a')],
		],
		[
			'a name can not break out of its header',
			{ ...speechToText, ...extra(['a"\r\nX-Evil: 1', 'b']) },
			[file, textPart('a%22%0D%0AX-Evil: 1', 'b')],
		],
	])('%s', async (_what, parameters, parts) => {
		const { request } = await node.runOnce(parameters);
		expectParts(request, parts);
	});

	it.each<[string, Buffer, string | undefined, string, string, string]>([
		['a name of its own', wav(), 'Anruf 1.wav', 'audio/wav', 'Anruf 1.wav', 'audio/wav'],
		['no name', mp3(), undefined, 'audio/mpeg', 'recording.mp3', 'audio/mpeg'],
		['no extension', flac(), 'call', 'audio/flac', 'call.flac', 'audio/flac'],
		['a wrong name and type', mp3(), 'call.wav', 'audio/wav', 'call.mp3', 'audio/mpeg'],
		['another fitting extension', m4a(), 'call.mp4', 'video/mp4', 'call.mp4', 'audio/mp4'],
		[
			'a name that would break its header',
			wav(),
			'Grüße "1"\r\n日本.wav',
			'audio/wav',
			'Grüße _1_日本.wav',
			'audio/wav',
		],
		['a path', wav(), '/home/anna/../call.wav', 'audio/wav', 'call.wav', 'audio/wav'],
		[
			'bytes that nobody knows',
			Buffer.alloc(600, 3),
			'call.g729',
			'audio/G729',
			'call.g729',
			'audio/g729',
		],
		[
			'raw samples, whose type has parameters',
			Buffer.alloc(600, 3),
			'call.raw',
			'audio/L16; rate=8000;channels=1',
			'call.raw',
			'audio/l16; rate=8000;channels=1',
		],
		[
			'bytes and a type that nobody knows',
			Buffer.alloc(600, 3),
			'call.x',
			'sound\r\nX-Evil: 1',
			'call.x',
			'application/octet-stream',
		],
	])('a file with %s', async (_what, sent, fileName, mimeType, name, type) => {
		const files = { data: { bytes: sent, ...(fileName ? { fileName } : {}), mimeType } };
		const { request } = await node.runOnce(undocumented, { files });
		expectParts(request, [filePart('file', name, type, sent)]);
	});
});

it('the wait for the answer begins at once where no file is sent', async () => {
	node.service.answer = () => {};
	const { error } = await node.run({
		...speechToText,
		...extra(['file', 'https://example.com/a.wav']),
		options: { answerTimeoutSeconds: 1 },
	});
	expect(error?.message).toBe(
		'The service did not begin to answer within 1 seconds after everything was sent',
	);
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
			'a textFieldName with a dot is one name, no path',
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
			'the text is sent as it stands, white space and all',
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
			'an extra field takes the place of a standard one',
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

	it('characters of text to speech are counted, whatever the text is sent as', async () => {
		node.service.answer = bytes(wav(), 'audio/wav');
		const parameters = { ...textToSpeech, text: 'né👋🏽', voiceId: '={{ "vc_" + 2 }}' };
		const { items } = await node.runOnce(parameters, { files: {} });
		expect(items[0]?.json).toMatchObject({ voiceId: 'vc_2', characters: 4 });
	});
});

describe('jsonBody', () => {
	it.each<[string, unknown]>([
		['white space', ' {\n\t"a" :  1 }\r\n'],
		['numbers that JavaScript can not hold', '{"id":12345678901234567890,"p":1.10,"e":1e400}'],
		['escapes and repeated names', '{"a":"\\u00e9","a":2,"b":"\\/"}'],
		['an array', '[ 1 ]'],
		['a bare text', '"a"'],
		['an empty object', '{}'],
	])('goes out as it was given: %s', async (_what, jsonBody) => {
		const { request } = await node.runOnce({ ...sentJson, jsonBody } as INodeParameters);
		expectJsonText(request, jsonBody as string);
	});

	it.each<[string, string, string]>([
		['an object', '={{ ({ a: [1, "é"] }) }}', '{"a":[1,"é"]}'],
		['a text with JSON', '={ "q": {{ JSON.stringify($json.q) }} }', '{ "q": "say \\"hi\\"" }'],
		['a bare value', '={{ false }}', 'false'],
	])('may be an expression that yields %s', async (_what, jsonBody, text) => {
		const scene = { json: { q: 'say "hi"' } };
		expectJsonText((await node.runOnce({ ...sentJson, jsonBody }, scene)).request, text);
	});

	it.each<[string, string, ReturnType<typeof extra>, string]>([
		[
			'at its top level, over what is there',
			' {"a" : {"b":[1]}, "c": 2 , "\\u0065,\\"}": [{"f": "]"}] }\n',
			extra(['c', '3', 'json'], ['a', 'x'], ['d.e', 'y']),
			'{"a":"x","c":3,"e,\\"}":[{"f": "]"}],"d.e":"y"}',
		],
		[
			'without touching the digits of its numbers',
			'{"id":12345678901234567890,"n":[1.10,-0],"t":"12345678901234567890"}',
			extra(['a', '1', 'json']),
			'{"id":12345678901234567890,"n":[1.10,-0],"t":"12345678901234567890","a":1}',
		],
		['into an empty object', '{ }', extra(['a', 'b']), '{"a":"b"}'],
		['as fields like any other', '{}', extra(['__proto__', 'x']), '{"__proto__":"x"}'],
	])('takes extra fields %s', async (_what, jsonBody, extraFields, text) => {
		const { request } = await node.runOnce({ ...sentJson, jsonBody, ...extraFields });
		expectJsonText(request, text);
	});
});
