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
	{ mode: 'default', ownCalls: calls.slice(0, 1) },
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

// test/call/fields.test.mts tests which fields are sent, and test/audio/fileName.test.mts names of files.
describe('a form', () => {
	it('has the text fields after the file, without white space around them', async () => {
		const { request } = await node.runOnce({
			...cloneParameters,
			voiceName: ' Anna\n',
			options: { fileFieldName: 'audio.file[]' },
			...createExtraFields(
				{ name: 'tag', value: 'a' },
				{ name: 'file', value: '={{ 5 }}' },
				{ name: 'tag', value: '={{ ({ c: true }) }}' },
				{ name: 'd', value: '={{ [1] }}', type: 'json' },
				{ name: 'nothing', value: 'null', type: 'json' },
			),
		});
		expectParts(request, [
			createFilePart('audio.file[]', 'call.wav', 'audio/wav', recording),
			createTextPart('name', 'Anna'),
			createTextPart('tag', 'a'),
			createTextPart('file', '5'),
			createTextPart('tag', '{"c":true}'),
			createTextPart('d', '[1]'),
			createTextPart('nothing', ''),
		]);
	});

	it('has no blank language, and a name cannot end its header', async () => {
		const { request } = await node.runOnce({
			...speechToTextParameters,
			language: ' \n',
			...createExtraFields({ name: 'a"\r\nX-Evil: 1', value: 'b' }),
		});
		expectParts(request, [file, createTextPart('a%22%0D%0AX-Evil: 1', 'b')]);
	});

	const headerName = "Grüße 通話 Звонок 👋🏽 a;b='c'%20d&e.mp3";

	it.each([
		{ fileName: headerName, mimeType: 'a/b', bytes: createMp3(), type: 'audio/mpeg' },
		{
			fileName: 'a.x',
			mimeType: 'sound\r\nX: 1',
			bytes: Buffer.alloc(600, 3),
			type: 'application/octet-stream',
		},
	])('has a file with the name $fileName and a valid type', async ({ type, ...data }) => {
		const { request } = await node.runOnce(undocumentedParameters, { files: { data } });
		expectParts(request, [createFilePart('file', data.fileName, type, data.bytes)]);
	});

	it('has no file if an extra field replaces it, so the response is due at once', async () => {
		const parameters = {
			...cloneParameters,
			audioSource: 'url',
			audioUrl: '={{ "" }}',
			options: { responseTimeoutSeconds: 0.5 },
			...createExtraFields({ name: 'file', value: 'https://example.com/a.wav' }),
		};
		node.service.respond = () => {};
		const { error } = await node.run(parameters, { files: {} });
		expectParts(node.service.requests[0]!, [
			createTextPart('name', 'Anna'),
			createTextPart('file', 'https://example.com/a.wav'),
		]);
		expect(error?.message).toMatch(/^The service did not respond within 0.5 seconds/);
	});
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

// This header lets n8n read a response that comes before the end of the request (test/credits/earlyResponses.test.mts).
it("sends 'Connection: keep-alive'", async () => {
	const { request } = await node.runOnce(speechToTextParameters);
	expect(request.headers.connection).toBe('keep-alive');
});

describe('in JSON', () => {
	it('a text that is a number is a text, whose field has one name with a dot, not a path', async () => {
		const parameters = {
			...undocumentedTextParameters,
			text: '={{ 5 }}',
			language: 'en',
			options: { textFieldName: 'input.text[0]' },
		};
		const { request } = await node.runOnce(parameters);
		expectJsonText(request, '{"input.text[0]":"5","language":"en"}');
	});

	it.each([
		{ text: { name: 'text', value: 'né👋🏽' }, characters: 4 },
		{
			text: { name: 'text', value: '{"ssml":"<speak/>"}', type: 'json' as const },
			characters: undefined,
		},
	])('reports the voice that was sent, and $characters characters', async (row) => {
		node.service.respond = respondWithBytes(createWav(), 'audio/wav');
		const extra = createExtraFields({ name: 'voice_id', value: '={{ "vc_" + 2 }}' }, row.text);
		const { items } = await node.runOnce({ ...textToSpeechParameters, ...extra }, { files: {} });
		expect(items[0]?.json.voiceId).toBe('vc_2');
		expect(items[0]?.json.characters).toBe(row.characters);
	});
});

it.each<{ what: string; jsonBody: string; text: string }>([
	{
		what: 'as it was given',
		jsonBody: ' {\n\t"id" :  12345678901234567890,"p":1.10,"e":1e400, "a":"\\u00e9" }\r\n',
		text: ' {\n\t"id" :  12345678901234567890,"p":1.10,"e":1e400, "a":"\\u00e9" }\r\n',
	},
	{
		what: 'as an expression yields an object',
		jsonBody: '={{ ({ a: [1, "é"] }) }}',
		text: '{"a":[1,"é"]}',
	},
	{
		what: 'as an expression yields a text',
		jsonBody: '={ "q": {{ JSON.stringify($json.q) }} }',
		text: '{ "q": "say \\"hi\\"" }',
	},
])("sends 'JSON Body' $what", async ({ jsonBody: body, text: sent }) => {
	const parameters = { ...undocumentedParameters, inputType: 'json', jsonBody: body };
	const { request } = await node.runOnce(parameters, { json: { q: 'say "hi"' } });
	expectJsonText(request, sent);
});
