import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node.ts';
import {
	createNumberOption,
	createTextOption,
	type Option,
} from '../../nodes/VoiceSpeech/descriptions/optionKinds.ts';
import { optionDefinitions } from '../../nodes/VoiceSpeech/descriptions/options.ts';
import { recommendedVoiceSampleSeconds } from '../../nodes/VoiceSpeech/service/endpoint.ts';
import { type BinaryMode, createDeclarativeNode } from '../support/engine.mts';
import {
	expectCall,
	expectJsonText,
	expectParts,
	createFilePart,
	createTextPart,
	type SentPart,
} from '../support/expectRequest.mts';
import { createMp3, createWav } from '../support/media/recordings.mts';
import { nodeKey, callWav, recording, useNode } from '../support/node.mts';
import {
	cloneParameters,
	createExtraFields,
	speechToTextParameters,
	textToSpeechParameters,
	undocumentedParameters,
	undocumentedTextParameters,
} from '../support/nodeParameters.mts';
import { unsent } from '../support/outcome.mts';
import {
	respondInTurn,
	respondWithBytes,
	respondWithJson,
	type Responder,
	ScriptedServer,
} from '../support/servers/scriptedServer.mts';

const node = useNode();

const file = createFilePart('file', 'call.wav', 'audio/wav', recording);

/** Long enough that the check of voice samples finds no fault with it. */
const sample = createWav(recommendedVoiceSampleSeconds);
const anna = createFilePart('file', 'anna.wav', 'audio/wav', sample);

const jsonBody = ' {\n\t"id" :  12345678901234567890,"p":1.10,"e":1e400, "a":"\\u00e9" }\r\n';

it.each<[sends: string, path: string, parameters: object, sent: SentPart[] | string]>([
	['audio', 'speech-to-text', speechToTextParameters, [file]],
	// test/docs/openapi.test.mts has the paths of all operations.
	[
		'audio and a name',
		'voice-clone',
		{ ...cloneParameters, voiceName: 'Anna "Süd"', binaryPropertyName: 'sample' },
		[anna, createTextPart('name', 'Anna "Süd"')],
	],
	[
		'audio and a language',
		'amd',
		{ ...undocumentedParameters, inputType: 'audio', language: 'de', text: 'a' },
		[file, createTextPart('language', 'de')],
	],
	[
		'a text and a language',
		'amd',
		{ ...undocumentedTextParameters, text: 'a', language: 'de' },
		'{"text":"a","language":"de"}',
	],
	[
		'JSON as it was given',
		'amd',
		{ ...undocumentedParameters, inputType: 'json', jsonBody, text: 'a', language: 'de' },
		jsonBody,
	],
])('sends %s with POST /ai/%s', async (_, path, parameters, sent) => {
	const files = {
		data: callWav,
		sample: { bytes: sample, fileName: 'anna.wav', mimeType: 'audio/x-wav' },
	};
	const { request, items } = await node.runOnce(parameters as INodeParameters, { files });
	expectCall(request, `/ai/${path}`, nodeKey);
	if (typeof sent === 'string') expectJsonText(request, sent);
	else expectParts(request, sent);
	expect(items).toEqual([{ json: { ok: true }, pairedItem: { item: 0 } }]);
});

describe.each<BinaryMode>(['filesystem', 'default'])('in the binary mode %s', (mode) => {
	const own = useNode(mode);
	const options = { keepInputFiles: true };

	it('sends a file, and outputs it again', async () => {
		const json = { text: 'hello', words: [{ at: 0.5 }], language: null };
		own.service.respond = respondWithJson(json);
		const { request, items } = await own.runOnce({ ...speechToTextParameters, options });
		expectParts(request, [file]);
		const data = { fileName: 'call.wav', mimeType: 'audio/wav' };
		expect(items).toMatchObject([{ json, binary: { data } }]);
		expect(await own.engine.readFile(items[0]?.binary?.data)).toEqual(recording);
	});

	it('sends a text, and outputs an audio file byte for byte', async () => {
		const speech = createWav(0.3);
		own.service.respond = respondWithBytes(speech, 'audio/wav');
		const { request, items } = await own.runOnce({
			...textToSpeechParameters,
			text: 'Grüß dich 👋',
			outputPropertyName: 'spoken',
			options,
		});
		expectCall(request, '/ai/text-to-speech', nodeKey);
		expectJsonText(request, '{"text":"Grüß dich 👋","voice_id":"vc_1"}');
		const spoken = { fileName: 'speech.wav', mimeType: 'audio/wav' };
		const json = { ...spoken, bytes: speech.length, voiceId: 'vc_1', characters: 11 };
		expect(items).toMatchObject([{ json, binary: { data: { fileName: 'call.wav' }, spoken } }]);
		expect(await own.engine.readFile(items[0]?.binary?.spoken)).toEqual(speech);
	});
});

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

it.each([
	{
		what: "n8n's own 'Timeout'",
		parameters: { requestOptions: { timeout: 77_000 } },
		limit: 77_000,
	},
	{
		what: "none if 'Response Timeout (Seconds)' is 0",
		parameters: { options: { responseTimeoutSeconds: 0 } },
		limit: 0,
	},
])("gives n8n's client a limit in ms: $what", async ({ parameters, limit }) => {
	const requests: ClientRequest[] = [];
	const onRequest = (message: unknown) => {
		requests.push((message as { request: ClientRequest }).request);
	};
	let timeout: number | undefined;
	node.service.respond = (...call) => {
		timeout = requests[0]?.socket?.timeout;
		respondWithJson({})(...call);
	};
	subscribe('http.client.request.start', onRequest);
	try {
		await node.runOnce({ ...undocumentedTextParameters, ...parameters });
	} finally {
		unsubscribe('http.client.request.start', onRequest);
	}
	expect(requests).toHaveLength(1);
	// A socket without a limit has none, or 0.
	expect(timeout ?? 0).toBe(limit);
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

describe("the Input Type 'Audio (Raw Body)'", () => {
	const rawBody = { ...undocumentedParameters, inputType: 'audioBody' };
	const source = ScriptedServer.use();

	it('sends the bytes of the file as a raw body, which has no place for fields', async () => {
		const field = [{ name: 'model', value: 'large' }];
		const parameters = { ...rawBody, language: 'en', extraFields: { field } };
		const { request } = await node.runOnce(parameters);
		expect(request.body.equals(recording)).toBe(true);
		expect(request.headers['content-type']).toBe('audio/wav');
		expectCall(request, '/ai/amd', nodeKey);
	});

	it('rejects audio from a URL without a length', async () => {
		source.respond = (_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/wav' });
			response.write(recording);
			response.end();
		};
		const parameters = { ...rawBody, audioSource: 'url', audioUrl: source.baseUrl };
		expect(await node.runUnsent(parameters, { files: {} })).toEqual({
			message: "The server of 'Audio URL' does not report the length of the audio",
			description: expect.stringMatching(
				/^Set 'Input Type' to 'Audio'\. Or download it .* was not sent, so it was not debited\.$/,
			) as string,
		});
	});
});

const createRows = (...parameter: Array<{ name: unknown; value: unknown }>) => ({ parameter });

it("adds the rows of 'Query Parameters' and 'Headers' to the request", async () => {
	const queryParameters = createRows(
		{ name: 'detail', value: 'a&b c' },
		{ name: 'detail', value: 2 },
		{ name: '__proto__', value: 'a1' },
	);
	const headers = createRows(
		{ name: 'X-Request-ID', value: 'a1' },
		{ name: 'Accept', value: 'a/b' },
	);
	const options = { queryParameters, headers } as INodeParameters;
	const { request } = await node.runOnce({ ...undocumentedTextParameters, options });
	expect(request.url).toBe('/ai/amd?detail=a%26b+c&detail=2&__proto__=a1');
	const expected = { 'x-request-id': 'a1', 'x-api-key': nodeKey, accept: 'a/b' };
	expect(request.headers).toMatchObject(expected);
});

/**
 * An option that sends a field. The code needs no more than this entry in descriptions/options.ts
 * (docs/development/adding.md, "Adding an option").
 */
const settings = {
	displayName: 'Test Count',
	changesRequest: true,
	description: 'A value that only this test sends',
	routing: { send: { type: 'body', property: 'test_count' } },
} as const;
const testCount = createNumberOption({ ...settings, minimum: 1, default: 1 });

describe('an option with routing', () => {
	const table: Record<string, Option<unknown>> = optionDefinitions;
	let nodeType: INodeType;
	// The node reads the table itself, so these tests change it.
	beforeEach(() => {
		table.testCount = testCount;
		nodeType = createDeclarativeNode(new VoiceSpeech());
	});
	afterEach(() => delete table.testCount);

	it('sends a part', async () => {
		const parameters = { ...speechToTextParameters, options: { testCount: '={{ 1 + 1 }}' } };
		const { request } = await node.runOnce(parameters, { nodeType });
		expectParts(request, [file, createTextPart('test_count', '2')]);
	});

	it.each([
		[' a\n', [createTextPart('test_count', 'a')]],
		[' ', []],
	])('sends the text %j trimmed, unless it is blank', async (text, parts) => {
		table.testCount = createTextOption({ ...settings, default: '' });
		const parameters = { ...speechToTextParameters, options: { testCount: text } };
		const { request } = await node.runOnce(parameters, { nodeType });
		expectParts(request, [file, ...parts]);
	});

	it('is evaluated once for an item, and sent as a JSON field', async () => {
		let reads = 0;
		const json = {
			get count() {
				reads++;
				return 2;
			},
		};
		const parameters = { ...textToSpeechParameters, options: { testCount: '={{ $json.count }}' } };
		node.service.respond = respondWithBytes(createWav(0.1), 'audio/wav');
		const { request } = await node.runOnce(parameters, { nodeType, items: [{ json }] });
		expect(reads).toBe(1);
		expectJsonText(request, '{"text":"Hello","voice_id":"vc_1","test_count":2}');
	});

	// test/call/fingerprint.test.mts tests options with changesRequest.
	it('makes another request with another value', async () => {
		table.testCount = { ...testCount, changesRequest: false };
		const { calls } = await node.runItems(2, {
			nodeType,
			// Item 0 succeeds, and item 1 fails, so that n8n tries again.
			respond: (item, earlier) => (item === 1 && earlier === 0 ? 500 : 200),
			concurrency: 1,
			maxTries: 2,
			options: { testCount: '={{ 1 + Math.floor(Math.random() * 1e9) }}' },
		});
		expect(calls).toEqual([0, 1, 0, 1]);
	});

	it('is rejected if another field has its name', async () => {
		const fileFieldName = 'test_count';
		const { message } = await node.runUnsent(
			{ ...speechToTextParameters, options: { testCount: 2, fileFieldName } },
			{ nodeType },
		);
		expect(message).toContain("'File Field Name' is 'test_count'");
	});
});

const transcribe = (parameters: object) => ({ ...speechToTextParameters, ...parameters });
const speak = (parameters: object) => ({ ...textToSpeechParameters, ...parameters });
const analyze = (parameters: object) => ({ ...undocumentedTextParameters, ...parameters });

/** Takes the field `it` of the item. */
const value = '={{ $json.it }}';

// test/call and test/descriptions test more values, and test/engine/inputFiles tests missing files.
describe('a parameter', () => {
	const isList = 'must be a text, but its expression returns a list';
	const isOther = "is 'JSON', which is not one of its choices";

	it.each<[message: string, it: unknown, parameters: object, advice?: string]>([
		[`'Text' ${isList}`, ['a'], speak({ text: value })],
		[`'Language' ${isList}`, ['a'], transcribe({ language: value })],
		[`'Audio URL' ${isList}`, ['a'], transcribe({ audioSource: 'url', audioUrl: value })],
		[`'Output Data Field Name' ${isList}`, ['a'], speak({ outputPropertyName: value })],
		[
			`'Input Type' ${isOther}`,
			'JSON',
			analyze({ inputType: value }),
			"it must return 'audio' or 'audioBody' or 'json' or 'text'.",
		],
		[`'Audio Source' ${isOther}`, 'JSON', transcribe({ audioSource: value, audioUrl: value })],
		[`'Allowed Keys' ${isOther}`, 'JSON', transcribe({ allowedEnvironment: value })],
		[
			"'Audio URL' is empty",
			'',
			transcribe({ audioSource: 'url', audioUrl: value }),
			'Enter the address of a recording',
		],
		[
			"This node allows live keys only, and the credential 'Test' has a sandbox key",
			'live',
			transcribe({ allowedEnvironment: value }),
		],
		[
			"The option 'File Field Name' is 'name', which is the name of another field",
			' name ',
			{ ...cloneParameters, options: { fileFieldName: value } },
		],
		[
			"The option 'Text Field Name' is 'language', which is the name of another field",
			'language',
			analyze({ options: { textFieldName: value } }),
		],
		[
			"The option 'Headers' has a row that is not a valid header: 'a b'",
			'a b',
			analyze({ options: { headers: createRows({ name: value, value: 'other' }) } }),
			'A name has no white space',
		],
		[
			"'Extra Fields' has two rows for 'a'",
			'a',
			analyze({
				inputType: 'text',
				...createExtraFields({ name: value, value: '1' }, { name: 'a', value: '2' }),
			}),
			'JSON would keep only one of them.',
		],
		[
			"The option 'Headers' cannot set 'X-API-Key'",
			'X-API-Key',
			analyze({ options: { headers: createRows({ name: value, value: 'other' }) } }),
		],
	])('is not sent: %s', async (message, it, parameters, advice = '') => {
		const json = { it } as IDataObject;
		const error = await node.runUnsent(parameters as INodeParameters, { json });
		expect(error.message).toBe(message);
		expect(error.description).toContain(advice);
		expect(error.description).toContain(unsent);
	});

	it('is a text of white space, although an extra field replaces it', async () => {
		const parameters = {
			...textToSpeechParameters,
			text: '={{ " \\n" }}',
			...createExtraFields({ name: 'text', value: 'a' }),
		};
		expect(await node.runUnsent(parameters)).toEqual({
			message: "'Text' is empty",
			description: `Fill it in, or check its expression. ${unsent}`,
		});
	});
});

// test/call/connectionOptions.test.mts tests more of the request options.
it('sends nothing through a public proxy that would get the key unencrypted', async () => {
	const requestOptions = { proxy: 'http://proxy.example.com:3128' };
	const { message } = await node.runUnsent({ ...textToSpeechParameters, requestOptions });
	expect(message).toContain('would get the key unencrypted');
});
