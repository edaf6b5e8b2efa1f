import type { INodeParameters } from 'n8n-workflow';

import type { BinaryMode } from '../support/engine';
import {
	apiKey,
	callWav,
	clone,
	recording,
	speechToText,
	textToSpeech,
	undocumented,
	useNode,
} from '../support/node';
import { wav } from '../support/recordings';
import { bytes, json, sha256, type RecordedRequest } from '../support/scriptedServer';
import { expectCall, expectJsonText, expectParts, filePart, textPart } from '../support/wire';

type ExpectSent = (request: RecordedRequest) => void;

const parts =
	(...expected: Parameters<typeof expectParts>[1]): ExpectSent =>
	(request) =>
		expectParts(request, expected);

const jsonText =
	(text: string): ExpectSent =>
	(request) =>
		expectJsonText(request, text);

const file = filePart('file', 'call.wav', 'audio/wav', recording);

/** Long enough that the check of voice samples finds no fault with it. */
const sample = wav(6);
const anna = filePart('file', 'anna.wav', 'audio/wav', sample);
const voice = { ...clone, voiceName: 'Anna "Süd"', binaryPropertyName: 'sample' };

const text = 'Grüß dich, 😀\n"you"';
const sentText = jsonText('{"text":"Grüß dich, 😀\\n\\"you\\""}');
const jsonBody = ' {"a" : [1, "é"]}\n';

const language = { resource: 'language', text };
const audioIn = { ...undocumented, inputType: 'audio' };
const textIn = { ...undocumented, inputType: 'text' };
const jsonIn = { ...undocumented, inputType: 'json', jsonBody };

const calls: Array<{ path: string; parameters: INodeParameters; expectSent: ExpectSent }> = [
	{ path: 'speech-to-text', parameters: speechToText, expectSent: parts(file) },
	{
		path: 'voice-clone',
		parameters: voice,
		expectSent: parts(anna, textPart('name', 'Anna "Süd"')),
	},
	// The undocumented operations by default, and with each Input Type.
	{
		path: 'transcriptions',
		parameters: { resource: 'speech', operation: 'createTranscription' },
		expectSent: parts(file),
	},
	{
		path: 'post-call-analytics',
		parameters: { resource: 'call', operation: 'analyzeCall' },
		expectSent: parts(file),
	},
	{ path: 'amd', parameters: undocumented, expectSent: parts(file) },
	{
		path: 'language-detection',
		parameters: { ...language, operation: 'detectLanguage' },
		expectSent: sentText,
	},
	{
		path: 'sentiment',
		parameters: { ...language, operation: 'analyzeSentiment' },
		expectSent: sentText,
	},
	{
		path: 'intent',
		parameters: { ...language, operation: 'recognizeIntent' },
		expectSent: sentText,
	},
	{
		path: 'intent',
		parameters: { ...language, operation: 'recognizeIntent', inputType: 'audio' },
		expectSent: parts(file),
	},
	{
		path: 'amd',
		parameters: { ...audioIn, language: 'de', text },
		expectSent: parts(file, textPart('language', 'de')),
	},
	{ path: 'amd', parameters: { ...textIn, text }, expectSent: sentText },
	{
		path: 'amd',
		parameters: { ...textIn, text: 'a', language: 'de' },
		expectSent: jsonText('{"text":"a","language":"de"}'),
	},
	{ path: 'amd', parameters: { ...jsonIn, text, language: 'de' }, expectSent: jsonText(jsonBody) },
];

describe.each<BinaryMode>(['filesystem', 'default'])('binary mode %s', (mode) => {
	const node = useNode(mode);

	it.each(calls)(
		`sends POST /ai/$path with $parameters in the binary mode ${mode}`,
		async ({ path, parameters, expectSent }) => {
			const answer = { text: 'hello', words: [{ at: 0.5 }], language: null };
			node.service.answer = json(answer);
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
			expectCall(request, `/ai/${path}`, apiKey);
			expectSent(request);
			expect(items).toEqual([
				{
					json: answer,
					binary: {
						data: expect.objectContaining({ fileName: 'call.wav', mimeType: 'audio/wav' }),
						sample: expect.objectContaining({ fileName: 'anna.wav', mimeType: 'audio/x-wav' }),
					},
					pairedItem: { item: 0 },
				},
			]);
			expect(sha256(await node.engine.read(items[0]?.binary?.data))).toBe(sha256(recording));
		},
	);

	it(`sends the text, and outputs an audio file byte for byte, in the binary mode ${mode}`, async () => {
		const speech = wav(0.3);
		node.service.answer = bytes(speech, 'audio/wav');
		const { request, items } = await node.runOnce({
			...textToSpeech,
			text: 'Grüß dich 👋',
			voiceId: 'vc_1',
			outputPropertyName: 'spoken',
			options: { keepInputFiles: true },
		});
		expectCall(request, '/ai/text-to-speech', apiKey);
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
		expect(sha256(await node.engine.read(items[0]?.binary?.spoken))).toBe(sha256(speech));
	});
});
