import type { INodeParameters } from 'n8n-workflow';

import { clone, extra, recording, speechToText, undocumented, useNode } from '../support/node';
import { mp3 } from '../support/recordings';
import { expectParts, filePart, textPart } from '../support/wire';

const node = useNode();

const file = filePart('file', 'call.wav', 'audio/wav', recording);

const headerName = "Grüße 通話 Звонок 👋🏽 a;b='c'%20d&e.mp3";

const emptyValues = ['={{ null }}', '={{ undefined }}', '', '={{ "" }}', '={{ $json.missing }}'];

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
			'a blank fileFieldName is the default',
			{ ...speechToText, options: { fileFieldName: ' ' } },
			[file],
		],
		[
			'fileFieldName may be the name of a field of another operation',
			{ ...speechToText, options: { fileFieldName: 'name' } },
			[filePart('name', 'call.wav', 'audio/wav', recording)],
		],
		[
			'extra fields are behind the standard ones, and may repeat',
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
			'a JSON value is sent as it is written',
			{ ...speechToText, ...extra(['a', ' {"b": [1, null]} ', 'json'], ['c', '5', 'json']) },
			[file, textPart('a', '{"b": [1, null]}'), textPart('c', '5')],
		],
		[
			'a value of an expression',
			{
				...speechToText,
				...extra(['a', '={{ 5 }}'], ['b', '={{ ({ c: true }) }}'], ['d', '={{ [1] }}', 'json']),
			},
			[file, textPart('a', '5'), textPart('b', '{"c":true}'), textPart('d', '[1]')],
		],
		...(['text', 'json', undefined] as const).map(
			(type): [string, INodeParameters, Parameters<typeof expectParts>[1]] => [
				`empty values of type ${type} send empty texts`,
				{ ...speechToText, ...extra(...emptyValues.map((value) => ['tag', value, type] as never)) },
				[file, ...emptyValues.map(() => textPart('tag', ''))],
			],
		),
		[
			'other values of type text are sent as they are',
			{
				...speechToText,
				...extra(['a', 'null', 'text'], ['b', ' '], ['c', '={{ 0 }}'], ['d', '={{ false }}']),
			},
			[file, textPart('a', 'null'), textPart('b', ' '), textPart('c', '0'), textPart('d', 'false')],
		],
		[
			'an extra field replaces a standard one',
			{ ...speechToText, language: 'en', ...extra(['language', 'de'], ['language', 'fr']) },
			[file, textPart('language', 'de'), textPart('language', 'fr')],
		],
		[
			'an extra field replaces the file',
			{ ...speechToText, language: 'en', ...extra(['file', 'https://example.com/a.wav']) },
			[textPart('language', 'en'), textPart('file', 'https://example.com/a.wav')],
		],
		[
			'an extra field replaces the renamed file, and no other',
			{ ...speechToText, options: { fileFieldName: 'audio' }, ...extra(['file', 'a']) },
			[filePart('audio', 'call.wav', 'audio/wav', recording), textPart('file', 'a')],
		],
		[
			'a name cannot end its header',
			{ ...speechToText, ...extra(['a"\r\nX-Evil: 1', 'b']) },
			[file, textPart('a%22%0D%0AX-Evil: 1', 'b')],
		],
	])('%s', async (_what, parameters, parts) => {
		const { request } = await node.runOnce(parameters);
		expectParts(request, parts);
	});

	// Names: test/audio/fileName.test.ts. Formats: test/audio/upload.test.ts.
	it.each<[string, Buffer, string | undefined, string, string, string]>([
		['characters that a header may contain', mp3(), headerName, 'a/b', headerName, 'audio/mpeg'],
		['no name', mp3(), undefined, 'audio/wav', 'recording.mp3', 'audio/mpeg'],
		['unknown bytes', Buffer.alloc(600, 3), 'call.g729', 'audio/G729', 'call.g729', 'audio/g729'],
		[
			'raw samples, whose type has parameters',
			Buffer.alloc(600, 3),
			'call.raw',
			'audio/L16; rate=8000;channels=1',
			'call.raw',
			'audio/l16; rate=8000;channels=1',
		],
		[
			'unknown bytes and an invalid type',
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

it.each<[string, INodeParameters]>([
	['a file', {}],
	['a URL', { audioSource: 'url', audioUrl: '={{ "" }}' }],
])('%s is not needed if an extra field replaces it', async (_what, parameters) => {
	const field = extra(['file', 'https://example.com/a.wav']);
	const { request } = await node.runOnce({ ...clone, ...parameters, ...field }, { files: {} });
	expectParts(request, [textPart('name', 'Anna'), textPart('file', 'https://example.com/a.wav')]);
});

it('the wait for the response begins at once if no file is sent', async () => {
	node.service.answer = () => {};
	const { error } = await node.run({
		...speechToText,
		...extra(['file', 'https://example.com/a.wav']),
		options: { answerTimeoutSeconds: 0.5 },
	});
	expect(error?.message).toMatch(/^The service did not respond within 0.5 seconds/);
});
