import type { IBinaryData, INodeParameters, IRun } from 'n8n-workflow';

import { onErrorSettings } from '../support/calls.mts';
import { n8n } from '../support/n8n.mts';
import { nodeKey, recording, useNode } from '../support/node.mts';
import {
	speechToTextParameters,
	textToSpeechParameters,
	undocumentedParameters,
} from '../support/nodeParameters.mts';
import { expectDebited, expectMaybeDebited, readErrorText } from '../support/outcome.mts';
import { createFlac, rawSamples, createWav } from '../support/media/recordings.mts';
import {
	respondWithBytes,
	respondWithJson,
	computeSha256,
	type Responder,
} from '../support/servers/scriptedServer.mts';

const node = useNode();

const html = '<!DOCTYPE html><html><title>Sign in</title></html>';

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
		{
			what: 'an array under data',
			respond: respondWithJson([{ text: 'a' }, 2]),
			expected: { data: [{ text: 'a' }, 2] },
		},
		{ what: 'null under data', respond: respondWithJson(null), expected: { data: null } },
		{
			what: 'large integers as texts',
			respond: respondWithJsonText('{"id":9007199254740993}'),
			expected: { id: '9007199254740993' },
		},
		{
			what: 'declared as HTML',
			respond: respondWithBytes('\n {"text":"a"} \n', 'text/html'),
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
			what: 'FLAC without a type',
			body: createFlac(),
			contentType: undefined,
			mimeType: 'audio/flac',
			extension: 'flac',
		},
		{
			what: 'raw samples',
			body: rawSamples,
			contentType: 'audio/L16;rate=16000',
			mimeType: 'audio/L16;rate=16000',
			extension: 'pcm',
		},
		{
			what: 'samples declared as WAV',
			body: rawSamples,
			contentType: 'audio/wav',
			mimeType: 'audio/wav',
			extension: 'wav',
			isUnknown: true,
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
	{ what: 'HTML as text', respond: respondWithBytes(html, 'text/html'), expected: { data: html } },
	{
		what: 'JSON that ends early',
		respond: respondWithJsonText('{"text":"hel'),
		expected: { data: '{"text":"hel' },
	},
	{
		what: 'text with the key masked',
		respond: respondWithBytes(`for ${nodeKey}.`, 'text/plain'),
		expected: { data: `for ${masked}.` },
	},
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
		what: 'PDF that begins with 6 kB of text',
		body: pdf,
		contentType: 'application/pdf',
		extension: 'pdf',
		mimeType: 'application/pdf',
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

const inAudio = { parameters: textToSpeechParameters, promised: 'audio' };
const inJson = { parameters: speechToTextParameters, promised: 'JSON' };
const events = 'event: text\ndata: {"text":"hello"}\n\ndata: [DONE]\n\n';
const long = '語'.repeat(100_000);

/** Responses that cannot be used. test/response/readResponse.test.mts has more of them. */
const unusable: Array<{
	name: string;
	parameters: INodeParameters;
	promised: string;
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
}> = [
	{
		...inAudio,
		name: 'JSON',
		body: '{"audio":"UklGRg=="}',
		contentType: 'application/json',
		found: 'JSON',
		quoted: '{"audio":"UklGRg=="}',
	},
	{
		...inJson,
		name: 'an event stream',
		body: events,
		contentType: 'text/event-stream',
		found: 'text',
		quoted: 'event: text data: {"text":"hello"} data: [DONE]',
	},
	{
		...inJson,
		name: 'audio',
		body: createWav(),
		contentType: 'audio/wav',
		found: 'WAV',
		fileName: 'response.wav',
	},
	{
		...inAudio,
		name: 'nothing',
		body: '',
		contentType: 'audio/wav',
		found: 'an empty response',
	},
	{
		...inJson,
		name: 'a page that repeats the key',
		body: `<html>${nodeKey}`,
		contentType: 'audio/wav',
		found: 'HTML',
		quoted: masked,
		text: `<html>${masked}`,
		isPage: true,
	},
	{
		...inAudio,
		name: 'a long page',
		body: `<p>${long}`,
		contentType: 'text/html',
		found: 'text',
		quoted: `${long.slice(0, 200)}…`,
		isPage: true,
	},
];

describe.each(unusable)('$name instead of $promised', ({ parameters, promised, ...row }) => {
	it('is an error', async () => {
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

	it.each(Object.entries(onErrorSettings))("is kept with On Error '%s'", async (_, settings) => {
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
