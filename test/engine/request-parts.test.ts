import type { INodeParameters } from 'n8n-workflow';

import { clone, extra, recording, speechToText, undocumented, useNode } from '../support/node';
import { mp3 } from '../support/recordings';
import { expectParts, filePart, textPart } from '../support/wire';

const node = useNode();

const audioAs = (name: string) => filePart(name, 'call.wav', 'audio/wav', recording);
const file = audioAs('file');

const named = (fileFieldName: string) => ({ ...speechToText, options: { fileFieldName } });

describe('in multipart', () => {
	it.each<{ what: string; parameters: INodeParameters; parts: Parameters<typeof expectParts>[1] }>([
		{
			what: 'a blank language sends none',
			parameters: { ...speechToText, language: ' \n' },
			parts: [file],
		},
		{
			what: 'fileFieldName renames the part',
			parameters: named('audio.file[]'),
			parts: [audioAs('audio.file[]')],
		},
		{ what: 'a blank fileFieldName is the default', parameters: named(' '), parts: [file] },
		{
			what: 'fileFieldName may be a field of another operation',
			parameters: named('name'),
			parts: [audioAs('name')],
		},
		{
			what: 'extra fields are behind the standard ones, and may repeat',
			parameters: { ...clone, ...extra(['tag', 'a'], ['model', 'x y'], ['tag', 'b']) },
			parts: [
				file,
				textPart('name', 'Anna'),
				textPart('tag', 'a'),
				textPart('model', 'x y'),
				textPart('tag', 'b'),
			],
		},
		{
			what: 'a JSON value is sent as it is written',
			parameters: {
				...speechToText,
				...extra(['a', ' {"b": [1, null]} ', 'json'], ['c', '5', 'json']),
			},
			parts: [file, textPart('a', '{"b": [1, null]}'), textPart('c', '5')],
		},
		{
			what: 'a value of an expression',
			parameters: {
				...speechToText,
				...extra(['a', '={{ 5 }}'], ['b', '={{ ({ c: true }) }}'], ['d', '={{ [1] }}', 'json']),
			},
			parts: [file, textPart('a', '5'), textPart('b', '{"c":true}'), textPart('d', '[1]')],
		},
		{
			what: 'other values of type text are sent as they are',
			parameters: {
				...speechToText,
				...extra(['a', 'null', 'text'], ['b', ' '], ['c', '={{ 0 }}'], ['d', '={{ false }}']),
			},
			parts: [
				file,
				textPart('a', 'null'),
				textPart('b', ' '),
				textPart('c', '0'),
				textPart('d', 'false'),
			],
		},
		{
			what: 'an extra field replaces a standard one',
			parameters: {
				...speechToText,
				language: 'en',
				...extra(['language', 'de'], ['language', 'fr']),
			},
			parts: [file, textPart('language', 'de'), textPart('language', 'fr')],
		},
		{
			what: 'an extra field replaces no file of another name',
			parameters: { ...named('audio'), ...extra(['file', 'a']) },
			parts: [audioAs('audio'), textPart('file', 'a')],
		},
		{
			what: 'a name cannot end its header',
			parameters: { ...speechToText, ...extra(['a"\r\nX-Evil: 1', 'b']) },
			parts: [file, textPart('a%22%0D%0AX-Evil: 1', 'b')],
		},
	])('sends a form in which $what', async ({ parameters, parts }) => {
		const { request } = await node.runOnce(parameters);
		expectParts(request, parts);
	});

	it.each(['text', 'json', undefined] as const)(
		'sends empty texts as parts of the type %p',
		async (type) => {
			const values = ['={{ null }}', '={{ undefined }}', '', '={{ "" }}', '={{ $json.missing }}'];
			const fields = extra(...values.map((value) => ['tag', value, type] as never));
			const { request } = await node.runOnce({ ...speechToText, ...fields });
			expectParts(request, [file, ...values.map(() => textPart('tag', ''))]);
		},
	);

	const samples = Buffer.alloc(600, 3);
	const raw = 'audio/L16; rate=8000;channels=1';
	const headerName = "Grüße 通話 Звонок 👋🏽 a;b='c'%20d&e.mp3";

	// Names: test/audio/fileName.test.ts. Formats: test/audio/upload.test.ts.
	it.each<{
		what: string;
		sent: Buffer;
		fileName: string | undefined;
		mimeType: string;
		name: string;
		type: string;
	}>([
		{
			what: 'characters that a header may contain',
			sent: mp3(),
			fileName: headerName,
			mimeType: 'a/b',
			name: headerName,
			type: 'audio/mpeg',
		},
		{
			what: 'no name',
			sent: mp3(),
			fileName: undefined,
			mimeType: 'audio/wav',
			name: 'recording.mp3',
			type: 'audio/mpeg',
		},
		{
			what: 'parameters of its type',
			sent: samples,
			fileName: 'a.raw',
			mimeType: raw,
			name: 'a.raw',
			type: raw.toLowerCase(),
		},
		{
			what: 'an invalid type',
			sent: samples,
			fileName: 'a.x',
			mimeType: 'sound\r\nX: 1',
			name: 'a.x',
			type: 'application/octet-stream',
		},
	])('sends a file with $what as a part', async ({ sent, fileName, mimeType, name, type }) => {
		const files = { data: { bytes: sent, ...(fileName ? { fileName } : {}), mimeType } };
		const { request } = await node.runOnce(undocumented, { files });
		expectParts(request, [filePart('file', name, type, sent)]);
	});
});

it.each<{ what: string; parameters: INodeParameters }>([
	{ what: 'a file', parameters: {} },
	{ what: 'a URL', parameters: { audioSource: 'url', audioUrl: '={{ "" }}' } },
])('does not need $what if an extra field replaces it', async ({ parameters }) => {
	const field = extra(['file', 'https://example.com/a.wav']);
	const { request } = await node.runOnce({ ...clone, ...parameters, ...field }, { files: {} });
	expectParts(request, [textPart('name', 'Anna'), textPart('file', 'https://example.com/a.wav')]);
});

it('waits for the response at once if no file is sent', async () => {
	node.service.answer = () => {};
	const { error } = await node.run({
		...speechToText,
		...extra(['file', 'https://example.com/a.wav']),
		options: { answerTimeoutSeconds: 0.5 },
	});
	expect(error?.message).toMatch(/^The service did not respond within 0.5 seconds/);
});
