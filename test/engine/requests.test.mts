import type { INodeParameters } from 'n8n-workflow';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { recommendedVoiceSampleSeconds } from '../../nodes/VoiceSpeech/service/endpoint.ts';
import type { BinaryMode } from '../support/engine.mts';
import { nodeKey, callWav, recording, useNode } from '../support/node.mts';
import {
	cloneParameters,
	createExtraFields,
	speechToTextParameters,
	textToSpeechParameters,
	undocumentedParameters,
	undocumentedTextParameters,
} from '../support/nodeParameters.mts';
import { createMp3, createWav } from '../support/media/recordings.mts';
import {
	respondInTurn,
	respondWithBytes,
	respondWithJson,
	computeSha256,
	type RecordedRequest,
	type Responder,
} from '../support/servers/scriptedServer.mts';
import {
	expectCall,
	expectJsonText,
	expectParts,
	createFilePart,
	createTextPart,
} from '../support/expectRequest.mts';

type ExpectSent = (request: RecordedRequest) => void;

const checkParts =
	(...expected: Parameters<typeof expectParts>[1]): ExpectSent =>
	(request) =>
		expectParts(request, expected);

const checkJsonText =
	(text: string): ExpectSent =>
	(request) =>
		expectJsonText(request, text);

const file = createFilePart('file', 'call.wav', 'audio/wav', recording);

/** Long enough that the check of voice samples finds no fault with it. */
const sample = createWav(recommendedVoiceSampleSeconds);
const anna = createFilePart('file', 'anna.wav', 'audio/wav', sample);
const voice = { ...cloneParameters, voiceName: 'Anna "Süd"', binaryPropertyName: 'sample' };

const text = 'Grüß dich, 😀\n"you"';
const jsonBody = ' {"a" : [1, "é"]}\n';

const language = { resource: 'language', text };
const audioIn = { ...undocumentedParameters, inputType: 'audio' };
const jsonIn = { ...undocumentedParameters, inputType: 'json', jsonBody };

interface Call {
	/** A part of the title. */
	sends: string;
	path: string;
	parameters: INodeParameters;
	expectSent: ExpectSent;
}

const calls: Call[] = [
	{
		sends: 'audio',
		path: 'speech-to-text',
		parameters: speechToTextParameters,
		expectSent: checkParts(file),
	},
	{
		sends: 'audio and a name',
		path: 'voice-clone',
		parameters: voice,
		expectSent: checkParts(anna, createTextPart('name', 'Anna "Süd"')),
	},
	// test/docs/openapi.test.mts has the paths of all operations.
	{
		sends: 'audio',
		path: 'intent',
		parameters: { ...language, operation: 'recognizeIntent', inputType: 'audio' },
		expectSent: checkParts(file),
	},
	{
		sends: 'audio and a language',
		path: 'amd',
		parameters: { ...audioIn, language: 'de', text },
		expectSent: checkParts(file, createTextPart('language', 'de')),
	},
	{
		sends: 'a text and a language',
		path: 'amd',
		parameters: { ...undocumentedTextParameters, text: 'a', language: 'de' },
		expectSent: checkJsonText('{"text":"a","language":"de"}'),
	},
	{
		sends: 'JSON',
		path: 'amd',
		parameters: { ...jsonIn, text, language: 'de' },
		expectSent: checkJsonText(jsonBody),
	},
];

const modes: Array<{ mode: BinaryMode; ownCalls: Call[] }> = [
	{ mode: 'filesystem', ownCalls: calls },
	{ mode: 'default', ownCalls: calls.filter(({ sends }) => sends.startsWith('audio')) },
];

describe.each(modes)('in the binary mode $mode', ({ mode, ownCalls }) => {
	const node = useNode(mode);

	it.each(ownCalls)(
		'sends $sends with POST /ai/$path',
		async ({ path, parameters, expectSent }) => {
			const output = { text: 'hello', words: [{ at: 0.5 }], language: null };
			node.service.respond = respondWithJson(output);
			const { request, items } = await node.runOnce(
				{ ...parameters, options: { keepInputFiles: true } },
				{
					files: {
						data: callWav,
						sample: { bytes: sample, fileName: 'anna.wav', mimeType: 'audio/x-wav' },
					},
					json: { id: 7 },
				},
			);
			expectCall(request, `/ai/${path}`, nodeKey);
			expectSent(request);
			expect(items).toEqual([
				{
					json: output,
					binary: {
						data: expect.objectContaining({ fileName: 'call.wav', mimeType: 'audio/wav' }),
						sample: expect.objectContaining({ fileName: 'anna.wav', mimeType: 'audio/x-wav' }),
					},
					pairedItem: { item: 0 },
				},
			]);
			expect(computeSha256(await node.engine.readFile(items[0]?.binary?.data))).toBe(
				computeSha256(recording),
			);
		},
	);

	it('sends the text, and outputs an audio file byte for byte', async () => {
		const speech = createWav(0.3);
		node.service.respond = respondWithBytes(speech, 'audio/wav');
		const { request, items } = await node.runOnce({
			...textToSpeechParameters,
			text: 'Grüß dich 👋',
			voiceId: 'vc_1',
			outputPropertyName: 'spoken',
			options: { keepInputFiles: true },
		});
		expectCall(request, '/ai/text-to-speech', nodeKey);
		expectJsonText(request, '{"text":"Grüß dich 👋","voice_id":"vc_1"}');
		const about = { fileName: 'speech.wav', mimeType: 'audio/wav' };
		expect(items).toEqual([
			{
				json: { ...about, bytes: speech.length, voiceId: 'vc_1', characters: 11 },
				binary: {
					data: expect.objectContaining({ fileName: 'call.wav' }),
					spoken: expect.objectContaining(about),
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(computeSha256(await node.engine.readFile(items[0]?.binary?.spoken))).toBe(
			computeSha256(speech),
		);
	});
});

const node = useNode();

const createAudioPart = (name: string) => createFilePart(name, 'call.wav', 'audio/wav', recording);

const renameFileField = (fileFieldName: string) => ({
	...speechToTextParameters,
	options: { fileFieldName },
});

describe('in multipart', () => {
	it.each<{ what: string; parameters: INodeParameters; parts: Parameters<typeof expectParts>[1] }>([
		{
			what: 'a blank language is left out',
			parameters: { ...speechToTextParameters, language: ' \n' },
			parts: [file],
		},
		{
			what: 'the language has no white space around it',
			parameters: { ...speechToTextParameters, language: ' en\n' },
			parts: [file, createTextPart('language', 'en')],
		},
		{
			what: 'an extra field replaces a standard one, and null is an empty text',
			parameters: {
				...speechToTextParameters,
				language: 'en',
				...createExtraFields({ name: 'language', value: 'null', type: 'json' }),
			},
			parts: [file, createTextPart('language', '')],
		},
		{
			what: 'fileFieldName renames the part',
			parameters: renameFileField('audio.file[]'),
			parts: [createAudioPart('audio.file[]')],
		},
		{
			what: 'extra fields come after the standard ones, and may repeat',
			parameters: {
				...cloneParameters,
				...createExtraFields(
					{ name: 'tag', value: 'a' },
					{ name: 'model', value: 'x y' },
					{ name: 'tag', value: 'b' },
				),
			},
			parts: [
				file,
				createTextPart('name', 'Anna'),
				createTextPart('tag', 'a'),
				createTextPart('model', 'x y'),
				createTextPart('tag', 'b'),
			],
		},
		{
			what: 'the value of an expression is sent as text',
			parameters: {
				...speechToTextParameters,
				...createExtraFields(
					{ name: 'a', value: '={{ 5 }}' },
					{ name: 'b', value: '={{ ({ c: true }) }}' },
					{ name: 'd', value: '={{ [1] }}', type: 'json' },
				),
			},
			parts: [
				file,
				createTextPart('a', '5'),
				createTextPart('b', '{"c":true}'),
				createTextPart('d', '[1]'),
			],
		},
		{
			what: 'an extra field replaces no file of another name',
			parameters: {
				...renameFileField('audio'),
				...createExtraFields({ name: 'file', value: 'a' }),
			},
			parts: [createAudioPart('audio'), createTextPart('file', 'a')],
		},
		{
			what: 'a name cannot end its header',
			parameters: {
				...speechToTextParameters,
				...createExtraFields({ name: 'a"\r\nX-Evil: 1', value: 'b' }),
			},
			parts: [file, createTextPart('a%22%0D%0AX-Evil: 1', 'b')],
		},
	])('sends a form in which $what', async ({ parameters, parts }) => {
		const { request } = await node.runOnce(parameters);
		expectParts(request, parts);
	});

	const samples = Buffer.alloc(600, 3);
	const headerName = "Grüße 通話 Звонок 👋🏽 a;b='c'%20d&e.mp3";

	// test/audio/fileName.test.mts tests names, and test/call/openBody.test.mts formats.
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
			sent: createMp3(),
			fileName: headerName,
			mimeType: 'a/b',
			name: headerName,
			type: 'audio/mpeg',
		},
		{
			what: 'no name',
			sent: createMp3(),
			fileName: undefined,
			mimeType: 'audio/wav',
			name: 'recording.mp3',
			type: 'audio/mpeg',
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
		const { request } = await node.runOnce(undocumentedParameters, { files });
		expectParts(request, [createFilePart('file', name, type, sent)]);
	});
});

it.each<{ what: string; parameters: INodeParameters }>([
	{ what: 'a file', parameters: {} },
	{ what: 'a URL', parameters: { audioSource: 'url', audioUrl: '={{ "" }}' } },
])('does not need $what if an extra field replaces it', async ({ parameters }) => {
	const field = createExtraFields({ name: 'file', value: 'https://example.com/a.wav' });
	const { request } = await node.runOnce(
		{ ...cloneParameters, ...parameters, ...field },
		{ files: {} },
	);
	expectParts(request, [
		createTextPart('name', 'Anna'),
		createTextPart('file', 'https://example.com/a.wav'),
	]);
});

it('sends the same request again after a 429, whose body it does not wait for', async () => {
	const refuse: Responder = (_request, response) => {
		response.writeHead(429, { 'Retry-After': '0' }).write('Too many');
	};
	node.service.respond = respondInTurn(refuse, respondWithJson({ text: 'hello' }));
	const { items } = await node.run(speechToTextParameters);
	await waitUntil(() => node.service.inProgress === 0);
	expect(items).toHaveLength(1);
	expect(node.service.requests).toHaveLength(2);
	for (const request of node.service.requests) {
		expectCall(request, '/ai/speech-to-text', nodeKey);
		expectParts(request, [file]);
	}
});

describe("the time limit of n8n's client", () => {
	/** The limit of the socket of a call in ms, as the service gets the call. */
	async function readSocketTimeout(parameters: INodeParameters) {
		const requests: ClientRequest[] = [];
		const onRequest = (message: unknown) => {
			requests.push((message as { request: ClientRequest }).request);
		};
		let timeout: number | undefined;
		subscribe('http.client.request.start', onRequest);
		try {
			node.service.respond = (...call) => {
				timeout = requests[0]?.socket?.timeout;
				respondWithJson({})(...call);
			};
			await node.runOnce({ ...undocumentedTextParameters, ...parameters });
		} finally {
			unsubscribe('http.client.request.start', onRequest);
		}
		expect(requests).toHaveLength(1);
		return timeout;
	}

	it("is n8n's own 'Timeout'", async () => {
		expect(await readSocketTimeout({ requestOptions: { timeout: 77_000 } })).toBe(77_000);
	});

	it("does not exist if 'Response Timeout (Seconds)' is 0", async () => {
		// A socket without a limit has none, or 0.
		const timeout = await readSocketTimeout({ options: { responseTimeoutSeconds: 0 } });
		expect(timeout ?? 0).toBe(0);
	});
});

it('waits for the response at once if no file is sent', async () => {
	node.service.respond = () => {};
	const { error } = await node.run({
		...speechToTextParameters,
		...createExtraFields({ name: 'file', value: 'https://example.com/a.wav' }),
		options: { responseTimeoutSeconds: 0.5 },
	});
	expect(error?.message).toMatch(/^The service did not respond within 0.5 seconds/);
});

const jsonCall = { ...undocumentedParameters, inputType: 'json' };
const renameTextField = (textFieldName: string) => ({ options: { textFieldName } });

// This header lets n8n read a response that comes before the end of the request (test/credits/earlyResponses.test.mts).
it("sends 'Connection: keep-alive'", async () => {
	node.service.reset(respondWithBytes(createWav(), 'audio/wav'));
	const { request } = await node.runOnce(textToSpeechParameters);
	expect(request.headers.connection).toBe('keep-alive');
});

describe('in JSON', () => {
	it.each<{ what: string; parameters: INodeParameters; text: string }>([
		{
			what: 'textFieldName renames the text, to one name with a dot, not a path',
			parameters: {
				...undocumentedTextParameters,
				language: 'en',
				...renameTextField('input.text[0]'),
			},
			text: '{"input.text[0]":"Hello","language":"en"}',
		},
		{
			what: 'textFieldName renames the text of text to speech too',
			parameters: { ...textToSpeechParameters, ...renameTextField('input.text') },
			text: '{"input.text":"Hello","voice_id":"vc_1"}',
		},
		{
			what: 'a number is sent as text',
			parameters: { ...undocumentedTextParameters, text: '={{ 5 }}' },
			text: '{"text":"5"}',
		},
	])('sends JSON in which $what', async ({ parameters, text }) => {
		node.service.respond =
			parameters.operation === 'textToSpeech'
				? respondWithBytes(createWav(), 'audio/wav')
				: respondWithJson({});
		expectJsonText((await node.runOnce(parameters, { files: {} })).request, text);
	});

	it.each<{ what: string; parameters: INodeParameters; expected: object }>([
		{
			what: 'expressions',
			parameters: { ...textToSpeechParameters, text: 'né👋🏽', voiceId: '={{ "vc_" + 2 }}' },
			expected: { voiceId: 'vc_2', characters: 4 },
		},
		{
			what: 'extra fields that replace them',
			parameters: {
				...textToSpeechParameters,
				...createExtraFields(
					{ name: 'voice_id', value: 'vc_9' },
					{ name: 'text', value: 'Good evening' },
				),
			},
			expected: { voiceId: 'vc_9', characters: 12 },
		},
	])(
		'reports the voice and the characters that were sent: $what',
		async ({ parameters, expected }) => {
			node.service.respond = respondWithBytes(createWav(), 'audio/wav');
			const { items } = await node.runOnce(parameters, { files: {} });
			expect(items[0]?.json).toMatchObject(expected);
		},
	);

	it('reports no characters if an extra field sends an object as the text', async () => {
		node.service.respond = respondWithBytes(createWav(), 'audio/wav');
		const parameters = {
			...textToSpeechParameters,
			...createExtraFields({ name: 'text', value: '{"ssml":"<speak/>"}', type: 'json' }),
		};
		const { items } = await node.runOnce(parameters, { files: {} });
		expect(Object.keys(items[0]?.json ?? {})).toEqual(['fileName', 'mimeType', 'bytes', 'voiceId']);
	});
});

// test/call/fields.test.mts tests more bodies and more extra fields.
describe("'JSON Body'", () => {
	it('is sent as it was given', async () => {
		const jsonBody = ' {\n\t"id" :  12345678901234567890,"p":1.10,"e":1e400, "a":"\\u00e9" }\r\n';
		const { request } = await node.runOnce({ ...jsonCall, jsonBody });
		expectJsonText(request, jsonBody);
	});

	it.each<{ what: string; jsonBody: string; text: string }>([
		{ what: 'an object', jsonBody: '={{ ({ a: [1, "é"] }) }}', text: '{"a":[1,"é"]}' },
		{
			what: 'a text with JSON',
			jsonBody: '={ "q": {{ JSON.stringify($json.q) }} }',
			text: '{ "q": "say \\"hi\\"" }',
		},
	])('is sent as an expression yields it: $what', async ({ jsonBody, text }) => {
		const setup = { json: { q: 'say "hi"' } };
		expectJsonText((await node.runOnce({ ...jsonCall, jsonBody }, setup)).request, text);
	});
});
