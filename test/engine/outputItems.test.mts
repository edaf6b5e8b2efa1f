import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { getBinaryHelperFunctions } from 'n8n-core/dist/execution-engine/node-execution-context/utils/binary-helper-functions.js';
import type { INodeExecutionData, INodeParameters, IWorkflowSettings } from 'n8n-workflow';

import { readOptions } from '../../nodes/VoiceSpeech/call/readOptions.ts';
import { createLink } from '../../nodes/VoiceSpeech/n8n/outputItem.ts';
import { textToSpeech } from '../../nodes/VoiceSpeech/resources/speech/textToSpeech.ts';
import {
	minVoiceSampleRate,
	recommendedVoiceSampleSeconds,
	samplingRateText,
	voiceSampleLengthText,
} from '../../nodes/VoiceSpeech/service/endpoint.ts';
import { type OnErrorChoice, onErrorSettings, createNumberedItems } from '../support/calls.mts';
import { createRoutedNode } from '../support/engine.mts';
import { createWav } from '../support/media/recordings.mts';
import { n8n } from '../support/n8n.mts';
import { callWav, nodeKey, recording, useNode, type TestFile } from '../support/node.mts';
import {
	cloneParameters,
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

const speech = createWav(0.2);

const aWav = expect.objectContaining({ fileName: 'call.wav', mimeType: 'audio/wav' }) as object;

const keep = { keepInputFiles: true };

describe('the fields of the output', () => {
	const transcript = { text: 'theirs', language: 'en', segments: [1] };
	const withoutText = { transcript: 'theirs' };
	const textOnly = { textOnly: true };

	it.each<[what: string, operation: object, options: object, body: object, expected: object]>([
		[
			'the input fields next to a list with includeInputFields',
			undocumentedParameters,
			{ includeInputFields: true },
			[1],
			{ fileName: 'call.wav', id: 7, text: 'mine', data: [1] },
		],
		[
			'the text and the input with textOnly and includeInputFields',
			speechToTextParameters,
			{ textOnly: true, includeInputFields: true },
			transcript,
			{ fileName: 'call.wav', id: 7, text: 'theirs' },
		],
		[
			// An error would be about a call that was paid for.
			'all fields with textOnly if the response has no text',
			speechToTextParameters,
			textOnly,
			withoutText,
			withoutText,
		],
	])('are %s', async (_, operation, options, body, expected) => {
		node.service.respond = respondWithJson(body);
		const parameters = { ...operation, options } as INodeParameters;
		const { items } = await node.runOnce(parameters, { json: { id: 7, text: 'mine' } });
		expect(items.map((item) => item.json)).toEqual([expected]);
	});

	it('have neither the name of the file nor an old error in place of a field of the input', async () => {
		const { items, errorItems } = await node.runOnce(
			{ ...speechToTextParameters, options: { includeInputFields: true } },
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

	// test/engine/requests.test.mts keeps a file next to a new one of another name.
	it.each<{ what: string; parameters: INodeParameters; expected: Record<string, string> }>([
		{
			what: 'replaced by a new file of the same name',
			parameters: { ...textToSpeechParameters, options: keep },
			expected: { ...both, data: 'speech.wav' },
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
	it("are joined by a new file with the name of 'Output File Name'", async () => {
		node.service.respond = respondWithBytes(speech, 'audio/wav');
		const options = { outputFileName: '={{ $json.name }}' };
		const parameters = { ...textToSpeechParameters, options };
		const { items } = await node.runOnce(parameters, { json: { name: 'Anna.mp3' } });
		expect(items[0]?.json.fileName).toBe('Anna.wav');
		expect(items[0]?.binary?.data?.fileName).toBe('Anna.wav');
	});
});

it.each([
	{ engine: "n8n's engine", nodeType: undefined },
	{ engine: "n8n's Engine 2.0", nodeType: createRoutedNode() },
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

it('the files of an operation that does not promise audio have different names too', async () => {
	node.service.respond = respondWithBytes(speech, 'audio/wav');
	const { items } = await node.run(undocumentedTextParameters, { items: createNumberedItems(2) });
	const names = items.map(({ binary }) => binary?.data?.fileName);
	expect(names).toEqual(['audio-1.wav', 'audio-2.wav']);
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

// test/call/voiceSample.test.mts tests what is found.
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

// test/versions/checks/links.mts opens links, also after their time.

const withLink = (linkHours: unknown) => ({ options: { linkHours } }) as INodeParameters;

describe('with files on disk', () => {
	it.each([
		{ hours: 0.5, seconds: 1800, parameters: undocumentedTextParameters },
		{ hours: '={{ 1 + 1 }}', seconds: 7200, parameters: textToSpeechParameters },
	])('$parameters.operation outputs a link that works for $hours hours', async (row) => {
		node.service.respond = respondWithBytes(speech, 'audio/wav');
		const startedAt = Date.now();
		const { items } = await node.runOnce({ ...row.parameters, ...withLink(row.hours) });
		expect(Object.keys(items[0]!.json).slice(-2)).toEqual(['url', 'urlExpiresAt']);
		const { url, urlExpiresAt } = items[0]!.json as Record<string, string>;
		const [, token] = /^http:\/\/localhost\/binary-data\/signed\?token=(.+)$/.exec(url!) ?? [];
		const id = Container.get(BinaryDataService).validateSignedToken(token!);
		expect(id).toBe(items[0]!.binary!.data!.id);
		const lasts = Date.parse(urlExpiresAt!) - startedAt;
		expect(lasts).toBeGreaterThan((row.seconds - 1) * 1000);
		expect(lasts).toBeLessThan((row.seconds + 600) * 1000);
	});

	it('a response that is not a file has no link', async () => {
		node.service.respond = respondWithJson({ url: 'theirs' });
		const { items } = await node.runOnce({ ...undocumentedTextParameters, ...withLink(1) });
		expect(items[0]?.json).toEqual({ url: 'theirs' });
	});
});

describe('with files in memory, where n8n creates no links', () => {
	const node = useNode('default');

	it('nothing is sent', async () => {
		const { message, description } = await node.runUnsent({
			...textToSpeechParameters,
			...withLink(24),
		});
		expect(message).toBe(
			"The option 'Link (Hours)' needs an n8n that stores files, and this one keeps them in memory",
		);
		expect(description).toContain('N8N_DEFAULT_BINARY_DATA_MODE');
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
