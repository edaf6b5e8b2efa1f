import type { INodeParameters, INodeType } from 'n8n-workflow';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node.ts';
import {
	createNumberOption,
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
} from '../support/expectRequest.mts';
import { fileConvertedToWav, readAudioFile } from '../support/media/audioFiles.mts';
import { createMp3, createWav } from '../support/media/recordings.mts';
import { n8n } from '../support/n8n.mts';
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
	computeSha256,
	type Responder,
	ScriptedServer,
} from '../support/servers/scriptedServer.mts';

const file = createFilePart('file', 'call.wav', 'audio/wav', recording);

/** Long enough that the check of voice samples finds no fault with it. */
const sample = createWav(recommendedVoiceSampleSeconds);
const anna = createFilePart('file', 'anna.wav', 'audio/wav', sample);
const voice = { ...cloneParameters, voiceName: 'Anna "Süd"', binaryPropertyName: 'sample' };

const text = 'Grüß dich, 😀\n"you"';
const jsonBody = ' {"a" : [1, "é"]}\n';

const audioIn = { ...undocumentedParameters, inputType: 'audio' };
const jsonIn = { ...undocumentedParameters, inputType: 'json', jsonBody };

/** What is sent, to which path, with which parameters, and as which parts or JSON text. */
type Call = [
	sends: string,
	path: string,
	parameters: INodeParameters,
	sent: Parameters<typeof expectParts>[1] | string,
];

const usualCall: Call = ['audio', 'speech-to-text', speechToTextParameters, [file]];

const calls: Call[] = [
	usualCall,
	['audio and a name', 'voice-clone', voice, [anna, createTextPart('name', 'Anna "Süd"')]],
	// test/docs/openapi.test.mts has the paths of all operations.
	[
		'audio and a language',
		'amd',
		{ ...audioIn, language: 'de', text },
		[file, createTextPart('language', 'de')],
	],
	[
		'a text and a language',
		'amd',
		{ ...undocumentedTextParameters, text: 'a', language: 'de' },
		'{"text":"a","language":"de"}',
	],
	['JSON', 'amd', { ...jsonIn, text, language: 'de' }, jsonBody],
];

const modes: Array<{ mode: BinaryMode; ownCalls: Call[] }> = [
	{ mode: 'filesystem', ownCalls: calls },
	{ mode: 'default', ownCalls: [usualCall] },
];

const node = useNode();

describe.each(modes)('in the binary mode $mode', ({ mode, ownCalls }) => {
	const own = useNode(mode);

	it.each(ownCalls)('sends %s with POST /ai/%s', async (_, path, parameters, sent) => {
		const output = { text: 'hello', words: [{ at: 0.5 }], language: null };
		own.service.respond = respondWithJson(output);
		const { request, items } = await own.runOnce(
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
		if (typeof sent === 'string') expectJsonText(request, sent);
		else expectParts(request, sent);
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
		expect(computeSha256(await own.engine.readFile(items[0]?.binary?.data))).toBe(
			computeSha256(recording),
		);
	});

	it('sends the text, and outputs an audio file byte for byte', async () => {
		const speech = createWav(0.3);
		own.service.respond = respondWithBytes(speech, 'audio/wav');
		const { request, items } = await own.runOnce({
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
		expect(computeSha256(await own.engine.readFile(items[0]?.binary?.spoken))).toBe(
			computeSha256(speech),
		);
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
		what: 'as an expression yields a text',
		jsonBody: '={ "q": {{ JSON.stringify($json.q) }} }',
		text: '{ "q": "say \\"hi\\"" }',
	},
])("sends 'JSON Body' $what", async ({ jsonBody: body, text: sent }) => {
	const parameters = { ...undocumentedParameters, inputType: 'json', jsonBody: body };
	const { request } = await node.runOnce(parameters, { json: { q: 'say "hi"' } });
	expectJsonText(request, sent);
});

const rawBody = { ...undocumentedParameters, inputType: 'audioBody' };

const createRows = (...parameter: Array<{ name: unknown; value: unknown }>) => ({ parameter });

const addOptions = (options: object, parameters: object = undocumentedTextParameters) =>
	({ ...parameters, options }) as INodeParameters;

describe("the Input Type 'Audio (Raw Body)'", () => {
	it('sends the bytes of the file as a raw body, which has no place for fields', async () => {
		const field = [{ name: 'model', value: 'large' }];
		const parameters = { ...rawBody, language: 'en', extraFields: { field } };
		const { request } = await node.runOnce(parameters);
		expect(request.body.equals(recording)).toBe(true);
		expect(request.headers['content-type']).toBe('audio/wav');
		expectCall(request, '/ai/amd', nodeKey);
	});

	it('converts the recording', async () => {
		const bytes = readAudioFile(fileConvertedToWav.file);
		const data = { bytes, fileName: fileConvertedToWav.file, mimeType: 'audio/x' };
		const { request } = await node.runOnce(rawBody, { files: { data } });
		expect(request.headers['content-type']).toBe('audio/wav');
		expect(request.body.toString('latin1', 0, 4)).toBe('RIFF');
	});

	describe('from a URL', () => {
		const source = ScriptedServer.use();
		const createUrlParameters = () => ({
			...rawBody,
			audioSource: 'url',
			audioUrl: `${source.baseUrl}/a`,
		});

		it('forwards audio with its length', async () => {
			source.respond = (request, response) => {
				response.setHeader('Content-Length', recording.length);
				respondWithBytes(recording, 'audio/wav')(request, response, 0);
			};
			const { request } = await node.runOnce(createUrlParameters(), { files: {} });
			expect(request.body.equals(recording)).toBe(true);
		});

		it('rejects audio without a length', async () => {
			source.respond = (_request, response) => {
				response.writeHead(200, { 'Content-Type': 'audio/wav' });
				response.write(recording);
				response.end();
			};
			expect(await node.runUnsent(createUrlParameters(), { files: {} })).toEqual({
				message: "The server of 'Audio URL' does not report the length of the audio",
				description: expect.stringMatching(
					/^Set 'Input Type' to 'Audio'\. Or download it .* was not sent, so it was not debited\.$/,
				) as string,
			});
		});
	});
});

describe("the option 'Query Parameters'", () => {
	it('adds its rows to the address, encoded', async () => {
		const queryParameters = createRows(
			{ name: 'detail', value: 'a&b c' },
			{ name: 'detail', value: 2 },
			{ name: '__proto__', value: 'a1' },
		);
		const { request } = await node.runOnce(addOptions({ queryParameters }));
		expect(request.url).toBe('/ai/amd?detail=a%26b+c&detail=2&__proto__=a1');
	});

	it('is ignored for an operation that is documented', async () => {
		const queryParameters = createRows({ name: 'a', value: 'b' });
		const { request } = await node.runOnce(addOptions({ queryParameters }, speechToTextParameters));
		expect(request.url).toBe('/ai/speech-to-text');
	});
});

describe("the option 'Headers'", () => {
	it('adds its rows to the request', async () => {
		const headers = createRows(
			{ name: 'X-Request-ID', value: 'a1' },
			{ name: 'Accept', value: 'a/b' },
		);
		const { request } = await node.runOnce(addOptions({ headers }));
		expect(request.headers).toMatchObject({ 'x-request-id': 'a1', 'x-api-key': nodeKey });
		expect(request.headers.accept).toBe('a/b');
	});
});

/**
 * An option that sends a field. The code needs no more than this entry in descriptions/options.ts
 * (docs/development/adding.md, "Adding an option").
 */
const testCount = createNumberOption({
	displayName: 'Test Count',
	minimum: 1,
	default: 1,
	changesRequest: true,
	description: 'A number that only this test sends',
	routing: { send: { type: 'body', property: 'test_count' } },
});

describe('an option with routing', () => {
	const table: Record<string, Option<unknown>> = optionDefinitions;
	let nodeType: INodeType;
	// The node reads the table itself, so these tests change it.
	beforeEach(() => {
		table.testCount = testCount;
		nodeType = createDeclarativeNode(new VoiceSpeech());
	});
	afterEach(() => delete table.testCount);

	it.each([
		{ what: 'a part if it is set', saved: '={{ 1 + 1 }}', sent: [['test_count', '2']] },
		{ what: 'no part if it is not set', saved: undefined, sent: [] },
	])('sends $what', async ({ saved, sent }) => {
		const options = saved === undefined ? {} : { testCount: saved };
		const { request } = await node.runOnce({ ...speechToTextParameters, options }, { nodeType });
		const parts = request.parts.map(({ name, body }) => [name, body.toString().slice(0, 4)]);
		expect(parts).toEqual([['file', 'RIFF'], ...sent]);
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
		expect(JSON.parse(request.body.toString())).toEqual({
			text: 'Hello',
			voice_id: 'vc_1',
			test_count: 2,
		});
	});

	it.each([
		['routing', { ...testCount, changesRequest: false }],
		['changesRequest', { ...testCount, property: { ...testCount.property, routing: undefined } }],
	])('makes another request with another value, by %s alone', async (_, option) => {
		table.testCount = option;
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

const value = '={{ $json.it }}';
const badAudioUrl = { ...speechToTextParameters, audioSource: 'url', audioUrl: value };

type BadParameter = [message: string, bad: unknown, ...parameters: object[]];

/** `bad` is the value of `$json.it`, which an expression puts into the parameters. */
const badParameters: BadParameter[] = [
	[
		"'Text' must be a text, but its expression returns an object",
		{ a: 1 },
		{ ...textToSpeechParameters, text: value },
	],
	...[
		{ label: 'Language', parameters: { ...speechToTextParameters, language: value } },
		{ label: 'Audio URL', parameters: badAudioUrl },
		{
			label: 'Output Data Field Name',
			parameters: { ...textToSpeechParameters, outputPropertyName: value },
		},
	].map(
		({ label, parameters }): BadParameter => [
			`'${label}' must be a text, but its expression returns a list`,
			['a'],
			parameters,
		],
	),
	...[
		{ label: 'Input Type', parameters: { ...undocumentedTextParameters, inputType: value } },
		{ label: 'Audio Source', parameters: { ...badAudioUrl, audioSource: value } },
		{ label: 'Allowed Keys', parameters: { ...speechToTextParameters, allowedEnvironment: value } },
		{ label: 'Other Formats', parameters: addOptions({ otherFormats: value }) },
	].map(
		({ label, parameters }): BadParameter => [
			`'${label}' is 'JSON', which is not one of its choices`,
			'JSON',
			parameters,
		],
	),
	["'Audio URL' is empty", '', badAudioUrl],
	[
		"This node allows live keys only, and the credential 'Test' has a sandbox key",
		'live',
		{ ...speechToTextParameters, allowedEnvironment: value },
	],
	[
		"The option 'File Field Name' is 'name', which is the name of another field",
		' name ',
		addOptions({ fileFieldName: value }, cloneParameters),
	],
	[
		"The option 'Text Field Name' is 'language', which is the name of another field",
		'language',
		addOptions({ textFieldName: value }),
	],
	[
		"The option 'Headers' cannot set 'X-API-Key'",
		'X-API-Key',
		addOptions({ headers: createRows({ name: value, value: 'other' }) }),
	],
];

// test/call and test/descriptions test more values, and test/engine/inputFiles tests missing files.
describe('a bad parameter', () => {
	it.each(badParameters)('is not sent: %s', async (message, bad, ...parameters) => {
		const all = Object.assign({}, ...parameters) as INodeParameters;
		const error = await node.runUnsent(all, { json: { it: bad } as never });
		expect(error.message).toBe(message);
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

	it('is refused by n8n itself if it is required, and empty in the panel', async () => {
		await expect(node.run({ ...textToSpeechParameters, text: '' })).rejects.toThrow(
			n8n.namesEmptyParameter ? 'Parameter "Text" is required' : 'The workflow has issues',
		);
		expect(node.service.requestCount).toBe(0);
	});
});

// test/call/connectionOptions.test.mts tests more of the request options.
it('sends nothing through a public proxy that would get the key unencrypted', async () => {
	const requestOptions = { proxy: 'http://proxy.example.com:3128' };
	const { message } = await node.runUnsent({ ...textToSpeechParameters, requestOptions });
	expect(message).toContain('would get the key unencrypted');
});
