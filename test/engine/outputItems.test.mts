import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { getBinaryHelperFunctions } from 'n8n-core/dist/execution-engine/node-execution-context/utils/binary-helper-functions.js';
import type {
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IWorkflowSettings,
} from 'n8n-workflow';

import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node.ts';
import { readOptions } from '../../nodes/VoiceSpeech/call/readOptions.ts';
import { createLink } from '../../nodes/VoiceSpeech/n8n/fileLinks.ts';
import { textToSpeech } from '../../nodes/VoiceSpeech/resources/speech/textToSpeech.ts';
import {
	minVoiceSampleRate,
	recommendedVoiceSampleSeconds,
	samplingRateText,
	voiceSampleLengthText,
} from '../../nodes/VoiceSpeech/service/endpoint.ts';
import { type OnErrorChoice, onErrorSettings, createNumberedItems } from '../support/calls.mts';
import { createDeclarativeNode } from '../support/engine.mts';
import { createWav } from '../support/media/recordings.mts';
import { n8n } from '../support/n8n.mts';
import { callWav, nodeKey, recording, useNode, type TestFile } from '../support/node.mts';
import {
	cloneParameters,
	numberedTextParameters,
	speechToTextParameters,
	textToSpeechParameters,
	undocumentedParameters,
	undocumentedTextParameters,
} from '../support/nodeParameters.mts';
import {
	respondWithBytes,
	respondWithJson,
	computeSha256,
} from '../support/servers/scriptedServer.mts';

const node = useNode();

/** The node on n8n's Engine 2.0, which hands over the items one by one. */
function createNodeForEngine2(): INodeType {
	const nodeType = createDeclarativeNode(new VoiceSpeech());
	delete nodeType.customOperations;
	return nodeType;
}

const speech = createWav(0.2);

const aWav = expect.objectContaining({ fileName: 'call.wav', mimeType: 'audio/wav' }) as object;

const keep = { keepInputFiles: true };

describe('the fields of the output', () => {
	const input = { id: 7, text: 'mine' };
	const includeInputFields = true;
	const response = { text: 'theirs', language: 'en', segments: [1] };
	const withoutText = { transcript: 'theirs' };

	const inputFields = { includeInputFields };
	const both = { textOnly: true, includeInputFields };
	const textOnly = { textOnly: true };

	it.each<[what: string, options: object, body: object, expected: object, parameters?: object]>([
		[
			'the input fields next to a list with includeInputFields',
			inputFields,
			[1],
			{ fileName: 'call.wav', ...input, data: [1] },
			undocumentedParameters,
		],
		[
			'the text and the input with textOnly and includeInputFields',
			both,
			response,
			{ fileName: 'call.wav', id: 7, text: 'theirs' },
		],
		// An error would be about a call that was paid for.
		['all fields with textOnly if the response has no text', textOnly, withoutText, withoutText],
		[
			'all fields if textOnly is left over from another operation',
			textOnly,
			response,
			response,
			undocumentedParameters,
		],
	])('are %s', async (...row) => {
		const [, options, body, expected, operation = speechToTextParameters] = row;
		const parameters = { ...operation, options } as INodeParameters;
		node.service.respond = respondWithJson(body);
		const { items } = await node.runOnce(parameters, { json: input });
		expect(items.map((item) => item.json)).toEqual([expected]);
	});

	it('have neither the name of the file nor an old error in place of a field of the input', async () => {
		const { items, errorItems } = await node.runOnce(
			{ ...speechToTextParameters, options: { includeInputFields } },
			{
				json: { fileName: 'mine', error: { message: 'old' } },
				node: onErrorSettings['Continue (using error output)'],
			},
		);
		expect(errorItems).toEqual([]);
		expect(items[0]?.json).toEqual({ fileName: 'mine', ok: true });
	});
});

describe('the files of the item', () => {
	const spoken = { ...textToSpeechParameters, outputPropertyName: 'spoken' };
	// The name 'constructor' is that of an inherited member of every object.
	const both = { data: 'call.wav', constructor: 'call.wav' };

	it.each<{ what: string; parameters: INodeParameters; expected: Record<string, string> }>([
		{
			what: 'replaced by a new file of the same name',
			parameters: { ...textToSpeechParameters, options: keep },
			expected: { ...both, data: 'speech.wav' },
		},
		{
			what: 'kept next to a new file of another name',
			parameters: { ...spoken, options: keep },
			expected: { ...both, spoken: 'speech.wav' },
		},
		{ what: 'removed by default', parameters: spoken, expected: { spoken: 'speech.wav' } },
	])('are $what', async ({ parameters, expected }) => {
		node.service.respond = respondWithBytes(speech, 'audio/wav');
		const { items } = await node.runOnce(parameters, {
			files: { data: callWav, constructor: callWav },
		});
		const files = Object.entries(items[0]?.binary ?? {});
		const names = files.map(([name, { fileName }]) => [name, fileName]);
		expect(Object.fromEntries(names)).toEqual(expected);
		for (const [, file] of files) {
			const content = file.fileName === 'call.wav' ? recording : speech;
			expect(computeSha256(await node.engine.readFile(file))).toBe(computeSha256(content));
		}
	});

	// test/audio/fileName.test.mts tests other names.
	it.each([
		{ outputFileName: '={{ $json.name }}', fileName: 'Anna.wav' },
		{ outputFileName: '', fileName: 'speech.wav' },
	])(
		'are joined by a new file that is named $fileName with the Output File Name "$outputFileName"',
		async ({ outputFileName, fileName }) => {
			node.service.respond = respondWithBytes(speech, 'audio/wav');
			const parameters = { ...textToSpeechParameters, options: { outputFileName } };
			const { items } = await node.runOnce(parameters, { json: { name: 'Anna.mp3' } });
			expect(items[0]?.json.fileName).toBe(fileName);
			expect(items[0]?.binary?.data?.fileName).toBe(fileName);
		},
	);
});

it.each([
	{ engine: "n8n's engine", nodeType: undefined },
	{ engine: "n8n's Engine 2.0", nodeType: createNodeForEngine2() },
])('the files of a run of several items have different names on $engine', async ({ nodeType }) => {
	node.service.respond = respondWithBytes(speech, 'audio/wav');
	const { items } = await node.run(textToSpeechParameters, {
		items: createNumberedItems(2),
		nodeType,
	});
	const names = ['speech-1.wav', 'speech-2.wav'];
	expect(items.map(({ binary }) => binary?.data?.fileName)).toEqual(names);
	expect(items.map(({ json }) => json.fileName)).toEqual(names);
});

const allSettings: IWorkflowSettings[] = n8n.hasCombinedBinaryMode
	? [{}, { binaryMode: 'combined' }]
	: [{}];

describe.each(allSettings)('a failed item with the workflow settings %j', (settings) => {
	it.each<[onError: OnErrorChoice, options: object]>([
		['Continue', keep],
		['Continue (using error output)', {}],
	])("keeps its fields and files with On Error '%s' and options %s", async (onError, options) => {
		node.service.respond = respondWithJson({ message: 'no luck' }, 500);
		const addFiles = (fields: object, files: unknown) =>
			settings.binaryMode === 'combined'
				? { json: { ...fields, _files: files } }
				: { json: fields, binary: files };
		const [stored] = await node.createItemsWithFile({});
		const item = addFiles({ id: 7, error: 'mine' }, stored?.binary);
		const { items, errorItems } = await node.run(
			{ ...speechToTextParameters, options } as INodeParameters,
			{
				items: [item as never],
				settings,
				node: onErrorSettings[onError],
			},
		);
		const error = {
			message: expect.stringContaining('(500): no luck') as string,
			httpCode: '500',
			debit: 'possible',
			description: expect.stringContaining('may have been debited') as string,
		};
		const failed = { ...addFiles({ id: 7, error }, { data: aWav }), pairedItem: { item: 0 } };
		expect(items).toEqual(onError === 'Continue' ? [failed] : []);
		// So it is the first column of the table. On the error output, n8n itself puts the input's fields first.
		if (onError === 'Continue') expect(Object.keys(items[0]!.json)[0]).toBe('error');
		expect(errorItems).toEqual(onError === 'Continue' ? [] : [failed]);
	});
});

describe("the option 'Include Response Headers'", () => {
	const options = { includeResponseHeaders: true };

	it('adds status and headers to the output, with the key masked', async () => {
		node.service.respond = respondWithJson({ ok: true }, 201, {
			'X-Echo': `key ${nodeKey}`,
			'X-Cost': '3',
		});
		const { items } = await node.runOnce({ ...undocumentedTextParameters, options });
		expect(items[0]?.json).toMatchObject({
			ok: true,
			response: { status: 201, headers: { 'x-cost': '3' } },
		});
		expect(JSON.stringify(items)).not.toContain(nodeKey);
	});

	it("keeps a field 'response' of the service", async () => {
		node.service.respond = respondWithJson({ response: { intent: 'buy' } });
		const { items } = await node.runOnce({ ...undocumentedTextParameters, options });
		expect(items[0]?.json).toEqual({ response: { intent: 'buy' } });
	});
});

it('keeps the fields and files of an item whose operation is an expression', async () => {
	const item = await node.engine.createItemWithFiles({ id: 7 }, { data: callWav });
	const parameters = { ...numberedTextParameters, operation: '={{ "analyzeSentiment" }}' };
	const { items } = await node.run(parameters, { items: [item], node: onErrorSettings.Continue });
	expect(node.service.requestCount).toBe(0);
	expect(items).toMatchObject([{ json: { id: 7, error: { debit: 'notSent' } } }]);
	expect(items[0]?.binary).toEqual(item.binary);
});

it('loses no result if an item has no json', async () => {
	const items = [{} as INodeExecutionData, ...createNumberedItems(2)];
	const settings = { binaryMode: 'combined' as const };
	const parameters = {
		...undocumentedTextParameters,
		text: '={{ $itemIndex }}',
		options: keep,
	};
	const output = await node.run(parameters, { items, settings, node: onErrorSettings.Continue });
	expect(output.error).toBeUndefined();
	expect(output.items.map(({ json }) => json)).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
	expect(node.service.requestCount).toBe(3);
});

// test/audio/voiceSample.test.mts tests what is found.
describe('a voice sample', () => {
	const stereo = {
		bytes: createWav(recommendedVoiceSampleSeconds, minVoiceSampleRate, 2),
		mimeType: 'audio/wav',
	};
	const telephone = { bytes: createWav(1, 8000, 2), mimeType: 'audio/wav' };
	const twoChannels = 'It has 2 channels: make sure that only one person speaks in it.';
	const findings = [
		`It lasts 1 second; about ${recommendedVoiceSampleSeconds} are recommended.`,
		`Its sampling rate is 8000 Hz; the service asks for ${minVoiceSampleRate} Hz or higher.`,
		twoChannels,
	];

	const voice = { voice_id: 'vc_1' };
	const warned = { ...voice, sampleWarnings: findings };
	const own = { sampleWarnings: 'own' };
	const hinted = { ...voice, sampleWarnings: [twoChannels] };

	it.each<[what: string, data: TestFile, sampleCheck: string, response: object, output: object]>([
		["with the findings in 'sampleWarnings'", telephone, 'warn', voice, warned],
		['without warnings if the check is off', telephone, 'off', voice, voice],
		["with a field 'sampleWarnings' of the service", telephone, 'warn', own, own],
		['although the check is strict and found a hint', stereo, 'reject', voice, hinted],
	])('is sent %s', async (_, data, sampleCheck, response, output) => {
		node.service.respond = respondWithJson(response);
		const parameters = { ...cloneParameters, options: { sampleCheck } };
		const { items } = await node.runOnce(parameters, { files: { data } });
		expect(items[0]?.json).toEqual(output);
	});

	it('is rejected for findings that are not hints', async () => {
		const strict = { ...cloneParameters, options: { sampleCheck: 'reject' } };
		expect(await node.runUnsent(strict, { files: { data: telephone } })).toEqual({
			message: `The sample differs from what the service asks for: ${findings.join(' ')}`,
			description: `Record ${voiceSampleLengthText} of a single speaker in a quiet place, at ${samplingRateText}. To send it anyway, set the option 'Sample Check' to 'Warn' or 'Off'. This item was not sent, so it was not debited.`,
		});
	});
});

// test/versions opens links of a running n8n.

const respondWithSpeech = respondWithBytes(speech, 'audio/wav');

const withLink = (linkHours: unknown) => ({ options: { linkHours } }) as INodeParameters;

describe('with files on disk', () => {
	/** What n8n has signed: the ID of the file, and until when the link works. */
	function readLink(url: unknown) {
		expect(url).toEqual(expect.stringMatching(/^http:\/\/localhost\/binary-data\/signed\?token=/));
		const token = new URL(url as string).searchParams.get('token')!;
		const { exp } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as {
			exp: number;
		};
		return { id: Container.get(BinaryDataService).validateSignedToken(token), endsAt: exp * 1000 };
	}

	it.each([
		{ hours: 0.5, seconds: 1800, parameters: undocumentedTextParameters },
		{ hours: '={{ 1 + 1 }}', seconds: 7200, parameters: textToSpeechParameters },
	])('$parameters.operation outputs a link that works for $hours hours', async (row) => {
		node.service.respond = respondWithSpeech;
		const startedAt = Date.now();
		const { items } = await node.runOnce({ ...row.parameters, ...withLink(row.hours) });
		expect(Object.keys(items[0]!.json).slice(-2)).toEqual(['url', 'urlExpiresAt']);
		const { url, urlExpiresAt } = items[0]!.json;
		const { id, endsAt } = readLink(url);
		expect(id).toBe(items[0]!.binary!.data!.id);
		// n8n counts in seconds, and the next one may have begun.
		const expiresAt = Date.parse(urlExpiresAt as string);
		expect(endsAt - expiresAt).toBeGreaterThanOrEqual(0);
		expect(endsAt - expiresAt).toBeLessThanOrEqual(1000);
		expect(expiresAt - startedAt).toBeGreaterThan((row.seconds - 1) * 1000);
	});

	it('a response that is not a file has no link', async () => {
		node.service.respond = respondWithJson({ url: 'theirs' });
		const { items } = await node.runOnce({ ...undocumentedTextParameters, ...withLink(1) });
		expect(items[0]?.json).toEqual({ url: 'theirs' });
	});
});

describe('with files in memory, where n8n creates no links', () => {
	const node = useNode('default');
	const setup = { parameters: { ...textToSpeechParameters }, options: { linkHours: 24 } };
	const message =
		"The option 'Link (Hours)' needs an n8n that stores files, and this one keeps them in memory";

	it('nothing is sent', async () => {
		const { calls, error } = await node.runItems(3, setup);
		expect(calls).toEqual([]);
		expect(error).toMatchObject({
			message,
			description: expect.stringContaining('N8N_DEFAULT_BINARY_DATA_MODE') as string,
		});
	});

	it("nothing is sent with On Error 'Continue'", async () => {
		const { calls, all } = await node.runItems(createNumberedItems(2), {
			...setup,
			onError: 'Continue',
		});
		expect(calls).toEqual([]);
		expect(all.map(({ json }) => json)).toEqual([
			expect.objectContaining({ error: expect.objectContaining({ message, debit: 'notSent' }) }),
			expect.objectContaining({ error: expect.objectContaining({ message, debit: 'notSent' }) }),
		]);
	});

	it('a file for which n8n creates no link is output with the reason', () => {
		const file = { data: speech.toString('base64'), mimeType: 'audio/wav' };
		const output = {
			json: {},
			files: { data: file },
			sampleWarnings: [],
			audioName: '',
			responseInfo: undefined,
		};
		const options = readOptions({ linkHours: 24 }, textToSpeech.endpoint);
		const helpers = getBinaryHelperFunctions({ restApiUrl: 'http://localhost' } as never, 'test');
		expect(createLink(helpers, { output, options })).toEqual({
			linkWarning: 'n8n did not create a link: URL signing is not available in memory mode',
		});
	});
});
