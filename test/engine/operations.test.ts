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

const calls: Array<[path: string, INodeParameters, ExpectSent]> = [
	['speech-to-text', speechToText, parts(file)],
	['voice-clone', voice, parts(anna, textPart('name', 'Anna "Süd"'))],
	// The undocumented operations by default, and with each Input Type.
	['transcriptions', { resource: 'speech', operation: 'createTranscription' }, parts(file)],
	['post-call-analytics', { resource: 'call', operation: 'analyzeCall' }, parts(file)],
	['amd', undocumented, parts(file)],
	['language-detection', { ...language, operation: 'detectLanguage' }, sentText],
	['sentiment', { ...language, operation: 'analyzeSentiment' }, sentText],
	['intent', { ...language, operation: 'recognizeIntent' }, sentText],
	['intent', { ...language, operation: 'recognizeIntent', inputType: 'audio' }, parts(file)],
	['amd', { ...audioIn, language: 'de', text }, parts(file, textPart('language', 'de'))],
	['amd', { ...textIn, text }, sentText],
	['amd', { ...textIn, text: 'a', language: 'de' }, jsonText('{"text":"a","language":"de"}')],
	['amd', { ...jsonIn, text, language: 'de' }, jsonText(jsonBody)],
];

describe.each<BinaryMode>(['filesystem', 'default'])('binary mode %s', (mode) => {
	const node = useNode(mode);

	it.each(calls)('POST /ai/%s: %j', async (path, parameters, expectSent) => {
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
	});

	it('text to speech: text is sent, and an audio file comes out, byte for byte', async () => {
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
