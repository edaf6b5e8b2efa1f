import type { IBinaryData, INodeParameters, IRun } from 'n8n-workflow';

import { onErrorSettings } from '../support/calls.mts';
import { readAudioFile } from '../support/media/audioFiles.mts';
import { n8n } from '../support/n8n.mts';
import { nodeKey, recording, useNode } from '../support/node.mts';
import {
	cloneParameters,
	speechToTextParameters,
	textToSpeechParameters,
	undocumentedParameters,
} from '../support/nodeParameters.mts';
import { expectDebited, expectMaybeDebited, readErrorText } from '../support/outcome.mts';
import {
	createFlac,
	createMp3,
	createOggOpus,
	rawSamples,
	createWav,
} from '../support/media/recordings.mts';
import {
	respondWithBytes,
	respondWithJson,
	computeSha256,
	type Responder,
} from '../support/servers/scriptedServer.mts';

const node = useNode();

const html = '<!DOCTYPE html><html><title>Sign in</title></html>';

const likeJpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), rawSamples]);

const pdf = Buffer.concat([Buffer.from(`%PDF-1.4\n${'% text\n'.repeat(900)}`), rawSamples]);

const masked = 'eak_test_***';

const respondWithJsonText = (text: string) => respondWithBytes(text, 'application/json');

describe.each<{ what: string; parameters: INodeParameters }>([
	{ what: 'speech to text', parameters: speechToTextParameters },
	{ what: 'an undocumented operation', parameters: undocumentedParameters },
])('JSON of $what', ({ parameters }) => {
	const nested = { text: 'a', nested: { list: [1, 'b', null, true] }, empty: {} };

	it.each<{ what: string; respond: Responder; expected: unknown }>([
		{ what: 'an object, unchanged', respond: respondWithJson(nested), expected: nested },
		{ what: 'an empty object', respond: respondWithJson({}), expected: {} },
		{
			what: 'an array under data',
			respond: respondWithJson([{ text: 'a' }, 2]),
			expected: { data: [{ text: 'a' }, 2] },
		},
		{ what: 'a bare text under data', respond: respondWithJson('a'), expected: { data: 'a' } },
		{ what: 'a bare number under data', respond: respondWithJson(-1.5), expected: { data: -1.5 } },
		{ what: 'null under data', respond: respondWithJson(null), expected: { data: null } },
		{ what: 'false under data', respond: respondWithJson(false), expected: { data: false } },
		{
			what: 'large integers as texts',
			respond: respondWithJsonText('{"id":9007199254740993}'),
			expected: { id: '9007199254740993' },
		},
		{
			what: 'without a Content-Type',
			respond: respondWithBytes('{"text":"a"}', undefined),
			expected: { text: 'a' },
		},
		{
			what: 'declared as text',
			respond: respondWithBytes('{"text":"a"}', 'text/plain'),
			expected: { text: 'a' },
		},
		{
			what: 'declared as HTML',
			respond: respondWithBytes('\n {"text":"a"} \n', 'text/html'),
			expected: { text: 'a' },
		},
		{
			what: 'declared as audio',
			respond: respondWithBytes('{"text":"a"}', 'audio/mpeg'),
			expected: { text: 'a' },
		},
		{
			what: 'with status 201',
			respond: respondWithJson({ text: 'a' }, 201),
			expected: { text: 'a' },
		},
		{
			what: 'with the key masked',
			respond: respondWithJson({ text: `your ${nodeKey}!`, [nodeKey]: [{ deep: nodeKey }] }),
			expected: { text: `your ${masked}!`, [masked]: [{ deep: masked }] },
		},
	])('is output: $what', async ({ respond, expected }) => {
		node.service.respond = respond;
		const { items } = await node.runOnce(parameters);
		expect(items.map((item) => item.json)).toEqual([expected]);
	});
});

const formatWarning =
	'The format of this audio was not recognized: ask your provider how it is encoded.';
const formatHint =
	'Items whose audio has a format that was not recognized: 1 of 1. Ask your provider how it is encoded';

/** The hints below the output. */
function listHints(run: IRun): string[] {
	const [task] = run.data.resultData.runData['Voice and Speech'] ?? [];
	return task?.hints?.map(({ message }) => message) ?? [];
}

describe.each<{ what: string; parameters: INodeParameters; name: string }>([
	{ what: 'text to speech', parameters: textToSpeechParameters, name: 'speech' },
	{ what: 'an undocumented operation', parameters: undocumentedParameters, name: 'audio' },
])('audio of $what', ({ parameters, name }) => {
	const likeGzip = Buffer.concat([Buffer.from([0x1f, 0x8b, 8]), rawSamples]);
	/** Low levels of mu-law that begin like a byte order mark. */
	const likeUtf16 = Buffer.from('fffe7ffefefdff7f'.repeat(800), 'hex');
	const likeUtf16be = Buffer.from(likeUtf16).swap16();

	it.each<{
		what: string;
		body: Buffer;
		contentType: string | undefined;
		mimeType: string;
		extension: string;
		/** Whether it is not known which format of audio it is. */
		isUnknown?: boolean;
	}>([
		{
			what: 'WAV, a space after its type',
			body: createWav(),
			contentType: 'audio/x-wav ; x=1',
			mimeType: 'audio/x-wav',
			extension: 'wav',
		},
		{
			what: 'WAV declared as JSON',
			body: createWav(),
			contentType: 'application/json',
			mimeType: 'audio/wav',
			extension: 'wav',
		},
		{
			what: 'WAV declared as raw samples',
			body: createWav(),
			contentType: 'audio/L16;rate=16000',
			mimeType: 'audio/wav',
			extension: 'wav',
		},
		{
			what: 'MP3, its type in capitals',
			body: createMp3(),
			contentType: 'Audio/MPEG; x=1',
			mimeType: 'audio/mpeg',
			extension: 'mp3',
		},
		{
			what: 'FLAC without a type',
			body: createFlac(),
			contentType: undefined,
			mimeType: 'audio/flac',
			extension: 'flac',
		},
		{
			what: 'OGG Opus',
			body: createOggOpus(),
			contentType: 'audio/ogg; codecs=opus',
			mimeType: 'audio/ogg',
			extension: 'opus',
		},
		{
			what: 'raw samples',
			body: rawSamples,
			contentType: 'audio/L16;rate=16000',
			mimeType: 'audio/L16;rate=16000',
			extension: 'pcm',
		},
		{
			what: 'raw samples that begin like gzip',
			body: likeGzip,
			contentType: 'audio/pcm',
			mimeType: 'audio/pcm',
			extension: 'pcm',
		},
		{
			what: 'silence in mu-law',
			body: Buffer.alloc(6000, 0xff),
			contentType: 'audio/basic',
			mimeType: 'audio/basic',
			extension: 'ulaw',
		},
		{
			what: 'silence in mu-law like text',
			body: Buffer.alloc(6000, 0x7f),
			contentType: 'audio/basic',
			mimeType: 'audio/basic',
			extension: 'ulaw',
		},
		{
			what: 'silence in A-law like text',
			body: Buffer.alloc(6000, 0x55),
			contentType: 'audio/PCMA',
			mimeType: 'audio/PCMA',
			extension: 'alaw',
		},
		{
			what: 'samples like UTF-16, little-endian',
			body: likeUtf16,
			contentType: 'audio/basic',
			mimeType: 'audio/basic',
			extension: 'ulaw',
		},
		{
			what: 'samples like UTF-16, big-endian',
			body: likeUtf16be,
			contentType: 'audio/PCMU',
			mimeType: 'audio/PCMU',
			extension: 'ulaw',
		},
		{
			what: 'samples that begin like JPEG',
			body: likeJpeg,
			contentType: 'audio/raw',
			mimeType: 'audio/raw',
			extension: 'pcm',
		},
		{
			what: 'a type called like a property',
			body: rawSamples,
			contentType: 'audio/constructor',
			mimeType: 'audio/constructor',
			extension: 'constructor',
			isUnknown: true,
		},
		{
			what: 'a type without a letter',
			body: rawSamples,
			contentType: 'audio/+',
			mimeType: 'audio/+',
			extension: 'bin',
			isUnknown: true,
		},
		{
			what: 'a long type',
			body: rawSamples,
			contentType: `audio/${'x'.repeat(99)}`,
			mimeType: `audio/${'x'.repeat(99)}`,
			extension: 'x'.repeat(16),
			isUnknown: true,
		},
		{
			what: 'samples declared as MP3',
			body: rawSamples,
			contentType: 'audio/mpeg; rate=16000',
			mimeType: 'audio/mpeg; rate=16000',
			extension: 'mp3',
			isUnknown: true,
		},
		{
			what: 'samples declared as WAV',
			body: rawSamples,
			contentType: 'audio/wav',
			mimeType: 'audio/wav',
			extension: 'wav',
			isUnknown: true,
		},
		{
			what: 'samples of no declared format',
			body: rawSamples,
			contentType: 'application/octet-stream',
			mimeType: 'application/octet-stream',
			extension: 'bin',
			isUnknown: true,
		},
		{
			what: 'samples without a type',
			body: rawSamples,
			contentType: undefined,
			mimeType: 'application/octet-stream',
			extension: 'bin',
			isUnknown: true,
		},
		{
			what: 'samples declared as text',
			body: rawSamples,
			contentType: 'text/plain',
			mimeType: 'text/plain',
			extension: 'bin',
			isUnknown: true,
		},
		{
			what: 'samples declared as JSON',
			body: rawSamples,
			contentType: 'application/json',
			mimeType: 'application/json',
			extension: 'json',
			isUnknown: true,
		},
		{
			what: 'MP3 behind zeros',
			body: Buffer.concat([Buffer.alloc(8192), createMp3()]),
			contentType: 'audio/mpeg',
			mimeType: 'audio/mpeg',
			extension: 'mp3',
			isUnknown: true,
		},
		{
			what: 'MP3 behind zeros without a type',
			body: Buffer.concat([Buffer.alloc(8192), createMp3()]),
			contentType: undefined,
			mimeType: 'application/octet-stream',
			extension: 'bin',
			isUnknown: true,
		},
		{
			what: 'AMR without a type',
			body: readAudioFile('telephone.amr'),
			contentType: undefined,
			mimeType: 'audio/amr',
			extension: 'amr',
		},
		{
			what: 'WebM declared as MP3',
			body: readAudioFile('opus.webm'),
			contentType: 'audio/mpeg',
			mimeType: 'audio/webm',
			extension: 'webm',
		},
	])('is output: $what', async ({ body, contentType, mimeType, extension, isUnknown }) => {
		node.service.respond = respondWithBytes(body, contentType);
		const { items, run } = await node.runOnce(parameters);
		const fileName = `${name}.${extension}`;
		const isSpeech = parameters === textToSpeechParameters;
		const about = isSpeech ? { voiceId: 'vc_1', characters: 5 } : {};
		const hasWarning = isSpeech && isUnknown === true;
		const warning = hasWarning ? { formatWarning } : {};
		expect(items.map((item) => item.json)).toEqual([
			{ fileName, mimeType, bytes: body.length, ...about, ...warning },
		]);
		expect(listHints(run)).toEqual(hasWarning ? [formatHint] : []);
		expect(items[0]?.binary?.data).toMatchObject({ fileName, mimeType });
		expect(computeSha256(await node.engine.readFile(items[0]?.binary?.data))).toBe(
			computeSha256(body),
		);
	});
});

it.each<{ what: string; respond: Responder; expected: object }>([
	{
		what: 'text under data',
		respond: respondWithBytes('It is\n a person.\n', 'text/plain'),
		expected: { data: 'It is\n a person.\n' },
	},
	{
		what: 'text without a type',
		respond: respondWithBytes('ok', undefined),
		expected: { data: 'ok' },
	},
	{ what: 'HTML as text', respond: respondWithBytes(html, 'text/html'), expected: { data: html } },
	{
		what: 'text cut in a letter',
		respond: respondWithBytes(Buffer.from('caf\xc3', 'latin1'), 'text/plain'),
		expected: { data: 'cafÃ' },
	},
	{
		what: 'text that begins like CAF',
		respond: respondWithBytes('caffeine', 'text/plain'),
		expected: { data: 'caffeine' },
	},
	{
		what: 'text that begins like JSON',
		respond: respondWithBytes('[1] yes', 'text/plain'),
		expected: { data: '[1] yes' },
	},
	{
		what: 'text declared as audio',
		respond: respondWithBytes('Sorry.', 'audio/mpeg'),
		expected: { data: 'Sorry.' },
	},
	{
		what: 'JSON that ends early',
		respond: respondWithJsonText('{"text":"hel'),
		expected: { data: '{"text":"hel' },
	},
	{
		what: 'several JSON values',
		respond: respondWithJsonText('{"a":1}\n{"a":2}\n'),
		expected: { data: '{"a":1}\n{"a":2}\n' },
	},
	{
		what: 'text with the key masked',
		respond: respondWithBytes(`for ${nodeKey}.`, 'text/plain'),
		expected: { data: `for ${masked}.` },
	},
	{ what: 'nothing', respond: respondWithBytes('', 'application/json', 200), expected: {} },
	{ what: 'nothing, with status 204', respond: respondWithBytes('', undefined, 204), expected: {} },
])('an undocumented operation accepts $what', async ({ respond, expected }) => {
	node.service.respond = respond;
	const parameters = { ...undocumentedParameters, options: { keepInputFiles: true } };
	const { items } = await node.runOnce(parameters);
	expect(items.map((item) => item.json)).toEqual([expected]);
	// The item has only its input file.
	expect(computeSha256(await node.engine.readFile(items[0]?.binary?.data))).toBe(
		computeSha256(recording),
	);
});

it.each<{
	what: string;
	body: Buffer;
	contentType: string | undefined;
	extension: string;
	mimeType: string;
}>([
	{
		what: 'samples without a type',
		body: rawSamples,
		contentType: undefined,
		extension: 'bin',
		mimeType: 'application/octet-stream',
	},
	{
		what: 'silence in A-law',
		body: Buffer.alloc(6000, 0xd5),
		contentType: 'x/y ; z=1',
		extension: 'bin',
		mimeType: 'x/y',
	},
	{
		what: 'samples of nearly an audio type',
		body: rawSamples,
		contentType: 'x-audio/pcm',
		extension: 'bin',
		mimeType: 'x-audio/pcm',
	},
	{
		what: 'a picture',
		body: likeJpeg,
		contentType: 'image/jpeg',
		extension: 'jpg',
		mimeType: 'image/jpeg',
	},
	{
		what: 'PDF that begins with 6 kB of text',
		body: pdf,
		contentType: 'application/pdf',
		extension: 'pdf',
		mimeType: 'application/pdf',
	},
	{
		what: 'a video',
		body: Buffer.from('\0\0\0\x14ftypqt  \0\0\0\0qt  '),
		contentType: undefined,
		extension: 'mov',
		mimeType: 'video/quicktime',
	},
])(
	'an undocumented operation keeps every byte of $what, which is not text',
	async ({ body, contentType, extension, mimeType }) => {
		node.service.respond = respondWithBytes(body, contentType);
		const { items } = await node.runOnce(undocumentedParameters);
		const fileName = `audio.${extension}`;
		expect(items[0]?.json).toEqual({ fileName, mimeType, bytes: body.length });
		expect(computeSha256(await node.engine.readFile(items[0]?.binary?.data))).toBe(
			computeSha256(body),
		);
	},
);

it('text to speech stores audio of any other kind, such as RIFX', async () => {
	const rifx = createWav();
	rifx.write('RIFX');
	node.service.respond = respondWithBytes(rifx, 'audio/wav');
	const { items } = await node.runOnce(textToSpeechParameters);
	expect(items[0]?.json).toMatchObject({ bytes: rifx.length });
	expect((await node.engine.readFile(items[0]?.binary?.data)).equals(rifx)).toBe(true);
});

/** A response that cannot be used. */
interface Unusable {
	name: string;
	body: Buffer | string;
	contentType: string | undefined;
	/** How the error names it. */
	found: string;
	/** How the error quotes its beginning; undefined if it is not text. */
	quoted?: string;
	/** What the error has of it; the body if it is undefined. */
	text?: string;
	/** The name of the file that the failed item has. */
	fileName?: string;
	/** A web page comes from something in between, so it does not prove that the call was debited. */
	isPage?: boolean;
}

const notAudio: Unusable[] = [
	{
		name: 'JSON',
		body: '{"audio":"UklGRg=="}',
		contentType: 'application/json',
		found: 'JSON',
		quoted: '{"audio":"UklGRg=="}',
	},
	{
		name: 'text',
		body: 'Not\ttoday\n',
		contentType: 'text/plain',
		found: 'text',
		quoted: 'Not today',
	},
	{
		name: 'Japanese text',
		body: '今日はだめ',
		contentType: 'audio/pcm',
		found: 'text',
		quoted: '今日はだめ',
	},
	{
		name: 'audio in base64',
		body: createWav().toString('base64'),
		contentType: 'application/octet-stream',
		found: 'text',
	},
];

const invalid = 'incomplete or invalid data';

const events = 'event: text\ndata: {"text":"hello"}\n\ndata: [DONE]\n\n';

const notJson: Unusable[] = [
	{
		name: 'text',
		body: 'hello there',
		contentType: 'text/plain',
		found: 'text',
		quoted: 'hello there',
	},
	{
		name: 'an event stream',
		body: events,
		contentType: 'text/event-stream',
		found: 'text',
		quoted: 'event: text data: {"text":"hello"} data: [DONE]',
	},
	{
		name: 'JSON lines',
		body: '{"text":"a"}\n{"text":"b"}\n',
		contentType: 'application/x-ndjson',
		found: invalid,
		quoted: '{"text":"a"} {"text":"b"}',
	},
	{
		name: 'JSON that ends early',
		body: '{"text":"hel',
		contentType: 'application/json',
		found: invalid,
		quoted: '{"text":"hel',
	},
	{
		name: 'what is nearly JSON',
		body: '[01234567890123456789]',
		contentType: 'application/json',
		found: invalid,
		quoted: '[01234567890123456789]',
	},
	{
		name: 'audio',
		body: createWav(),
		contentType: 'audio/wav',
		found: 'WAV',
		fileName: 'response.wav',
	},
	{
		name: 'bytes without a type',
		body: rawSamples,
		contentType: undefined,
		found: 'binary data',
		fileName: 'response.bin',
	},
];

const long = '語'.repeat(100_000);
const longPage = `<p>${long}`;

const never: Unusable[] = [
	{ name: 'nothing', body: '', contentType: 'audio/wav', found: 'an empty response' },
	{
		name: 'HTML of another declared type',
		body: html,
		contentType: 'audio/wav',
		found: 'HTML',
		quoted: 'Sign in',
		isPage: true,
	},
	{
		name: 'a repeated key',
		body: `<html>${nodeKey}`,
		contentType: 'text/html',
		found: 'HTML',
		quoted: masked,
		text: `<html>${masked}`,
		isPage: true,
	},
	{
		name: 'a long text',
		body: longPage,
		contentType: 'text/html',
		found: 'text',
		quoted: `${long.slice(0, 200)}…`,
		isPage: true,
	},
];

describe.each<{
	what: string;
	promised: string;
	parameters: INodeParameters;
	unusable: Unusable[];
}>([
	{
		what: 'text to speech',
		promised: 'audio',
		parameters: textToSpeechParameters,
		unusable: notAudio,
	},
	{
		what: 'speech to text',
		promised: 'JSON',
		parameters: speechToTextParameters,
		unusable: notJson,
	},
	{ what: 'voice cloning', promised: 'JSON', parameters: cloneParameters, unusable: notJson },
])('$what without $promised', ({ promised, parameters, unusable }) => {
	it.each([...unusable, ...never])('is an error: $name', async (row) => {
		const { body, contentType, found, quoted, isPage = false } = row;
		node.service.respond = respondWithBytes(body, contentType);
		const { error, items, run } = await node.run(parameters);
		expect(items).toEqual([]);
		expect(error?.message).toBe(`The service returned ${found} instead of ${promised}`);
		const advice = "Check the credential's 'Base URL', then ask your provider.";
		expect(error?.description).toContain(advice);
		if (quoted !== undefined) {
			// The quote comes last, so that it cannot hide what is known of the debit.
			expect(error?.description).toMatch(/ debited(: .+ again)?\. The response starts with '/);
			expect(error?.description).toContain(`The response starts with '${quoted}'.`);
		}
		if (isPage) expectMaybeDebited(readErrorText({ error }));
		else expectDebited(readErrorText({ error }));
		expect(node.service.requestCount).toBe(1);
		expect(JSON.stringify(run)).not.toContain(nodeKey);
	});

	const choices = Object.entries(onErrorSettings);

	it.each(
		[...unusable, ...never].flatMap((row) =>
			choices.map(([onError, settings]) => ({ ...row, onError, settings })),
		),
	)("is kept with On Error '$onError': $name", async ({ settings, ...row }) => {
		const { body, contentType, fileName, isPage = false } = row;
		node.service.respond = respondWithBytes(body, contentType);
		const output = await node.run(parameters, { node: settings });
		const [item] = [...output.items, ...output.errorItems];
		const debit = isPage ? 'possible' : 'debited';
		const isText = typeof body === 'string' && body !== '';
		const facts = { debit, ...(isText ? { responseText: row.text ?? body } : {}) };
		if (item === undefined) {
			expect(output.error).toMatchObject({ context: facts });
			return;
		}
		expect(item.json.error).toEqual({
			message: expect.any(String) as string,
			description: expect.any(String) as string,
			...facts,
		});
		const { data, response, ...others } = item.binary ?? {};
		expect(others).toEqual({});
		expect((await node.engine.readFile(data)).equals(recording)).toBe(true);
		expect(response?.fileName).toBe(fileName);
		if (fileName === undefined) return;
		expect((await node.engine.readFile(response)).equals(body as Buffer)).toBe(true);
	});
});

if (n8n.hasCombinedBinaryMode === true) {
	it('an unusable file is a field of the error for the error output with files in json', async () => {
		node.service.respond = respondWithBytes(createWav(), 'audio/wav');
		const { items, errorItems } = await node.run(speechToTextParameters, {
			node: onErrorSettings['Continue (using error output)'],
			settings: { binaryMode: 'combined' },
		});
		expect(items).toEqual([]);
		const [item] = errorItems;
		const { responseFile } = item?.json.error as { responseFile: IBinaryData };
		expect((await node.engine.readFile(responseFile)).equals(createWav())).toBe(true);
	});
}

it('names the type of the response in the error, and quotes only what there is of it', async () => {
	node.service.respond = respondWithBytes('', 'audio/l16');
	const { error } = await node.run(speechToTextParameters);
	expect(error?.description).toMatch(
		/so it was debited\. The Content-Type of the response is 'audio\/l16'\.$/,
	);
});
