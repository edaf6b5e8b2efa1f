import type { INodeParameters } from 'n8n-workflow';

import { clone, extra, recording, speechToText, undocumented, useNode } from '../support/node';
import { mp3 } from '../support/recordings';
import { expectParts, filePart, textPart } from '../support/wire';

const node = useNode();

const audioAs = (name: string) => filePart(name, 'call.wav', 'audio/wav', recording);
const file = audioAs('file');

const named = (fileFieldName: string) => ({ ...speechToText, options: { fileFieldName } });

describe('in multipart', () => {
	it.each<[string, INodeParameters, Parameters<typeof expectParts>[1]]>([
		['a blank language sends none', { ...speechToText, language: ' \n' }, [file]],
		['fileFieldName renames the part', named('audio.file[]'), [audioAs('audio.file[]')]],
		['a blank fileFieldName is the default', named(' '), [file]],
		['fileFieldName may be a field of another operation', named('name'), [audioAs('name')]],
		[
			'extra fields are behind the standard ones, and may repeat',
			{ ...clone, ...extra(['tag', 'a'], ['model', 'x y'], ['tag', 'b']) },
			[
				file,
				textPart('name', 'Anna'),
				textPart('tag', 'a'),
				textPart('model', 'x y'),
				textPart('tag', 'b'),
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
			'an extra field replaces no file of another name',
			{ ...named('audio'), ...extra(['file', 'a']) },
			[audioAs('audio'), textPart('file', 'a')],
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

	it.each(['text', 'json', undefined] as const)('sends empty texts for type %p', async (type) => {
		const values = ['={{ null }}', '={{ undefined }}', '', '={{ "" }}', '={{ $json.missing }}'];
		const fields = extra(...values.map((value) => ['tag', value, type] as never));
		const { request } = await node.runOnce({ ...speechToText, ...fields });
		expectParts(request, [file, ...values.map(() => textPart('tag', ''))]);
	});

	const samples = Buffer.alloc(600, 3);
	const raw = 'audio/L16; rate=8000;channels=1';
	const headerName = "Grüße 通話 Звонок 👋🏽 a;b='c'%20d&e.mp3";

	// Names: test/audio/fileName.test.ts. Formats: test/audio/upload.test.ts.
	it.each<[string, Buffer, string | undefined, string, string, string]>([
		['characters that a header may contain', mp3(), headerName, 'a/b', headerName, 'audio/mpeg'],
		['no name', mp3(), undefined, 'audio/wav', 'recording.mp3', 'audio/mpeg'],
		['parameters of its type', samples, 'a.raw', raw, 'a.raw', raw.toLowerCase()],
		['an invalid type', samples, 'a.x', 'sound\r\nX: 1', 'a.x', 'application/octet-stream'],
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
