import type { INodeParameters } from 'n8n-workflow';

import type { BinaryMode } from '../support/engine';
import {
	apiKey,
	callWav,
	clone,
	recording,
	speechToText,
	textToSpeech,
	useNode,
} from '../support/node';
import { wav } from '../support/recordings';
import { bytes, json, sha256, type RecordedRequest } from '../support/scriptedServer';
import { expectCall, expectJsonText, expectParts, filePart, textPart } from '../support/wire';

interface Case {
	what: string;
	path: string;
	parameters: INodeParameters;
	sends: (request: RecordedRequest) => void;
	answer: Record<string, unknown>;
}

/** Long enough that the check of voice samples finds no fault with it. */
const sample = wav(6);

const file = filePart('file', 'call.wav', 'audio/wav', recording);

const parts =
	(...expected: Parameters<typeof expectParts>[1]) =>
	(request: RecordedRequest) =>
		expectParts(request, expected);

const jsonText = (text: string) => (request: RecordedRequest) => expectJsonText(request, text);

const documented: Case[] = [
	{
		what: 'speech to text',
		path: '/ai/speech-to-text',
		parameters: speechToText,
		sends: parts(file),
		answer: { text: 'hello', words: [{ at: 0.5 }], language: null },
	},
	{
		what: 'voice cloning',
		path: '/ai/voice-clone',
		parameters: { ...clone, voiceName: 'Empfang "Süd"', binaryPropertyName: 'sample' },
		sends: parts(
			filePart('file', 'anna.wav', 'audio/wav', sample),
			textPart('name', 'Empfang "Süd"'),
		),
		answer: { voice_id: 'vc_4f1c9a', status: 'ready' },
	},
];

const text = { text: 'Grüß dich, 😀\n"you"' };
const textBody = '{"text":"Grüß dich, 😀\\n\\"you\\""}';
const given = ' {"a" : [1, "é"]}\n';

const inputs: Array<[string, INodeParameters, Case['sends']]> = [
	['audio', { inputType: 'audio' }, parts(file)],
	[
		'audio with a language',
		{ inputType: 'audio', language: 'de' },
		parts(file, textPart('language', 'de')),
	],
	['text', { inputType: 'text', ...text }, jsonText(textBody)],
	[
		'text with a language',
		{ inputType: 'text', text: 'a', language: 'de' },
		jsonText('{"text":"a","language":"de"}'),
	],
	[
		'a JSON body',
		{ inputType: 'json', jsonBody: given, language: 'de', text: 'unused' },
		jsonText(given),
	],
];

const undocumented = (
	[
		['speech', 'createTranscription', '/ai/transcriptions', 'audio'],
		['language', 'detectLanguage', '/ai/language-detection', 'text'],
		['language', 'analyzeSentiment', '/ai/sentiment', 'text'],
		['language', 'recognizeIntent', '/ai/intent', 'text'],
		['call', 'analyzeCall', '/ai/post-call-analytics', 'audio'],
		['call', 'detectAnsweringMachine', '/ai/amd', 'audio'],
	] as const
).flatMap(([resource, operation, path, usual]): Case[] => {
	const byDefault = usual === 'audio' ? parts(file) : jsonText(textBody);
	const all = [...inputs, ['by default', text, byDefault] as (typeof inputs)[number]];
	return all.map(([what, input, sends]) => ({
		what: `${operation}: ${what}`,
		path,
		parameters: { resource, operation, ...input },
		sends,
		answer: { operation, score: 0.25, nested: { list: [] } },
	}));
});

describe.each<BinaryMode>(['filesystem', 'default'])(
	'sends and outputs, binary mode %s',
	(mode) => {
		const node = useNode(mode);
		const files = {
			data: callWav,
			sample: { bytes: sample, fileName: 'anna.wav', mimeType: 'audio/x-wav' },
		};

		it.each([...documented, ...undocumented])(
			'$what',
			async ({ path, parameters, sends, answer }) => {
				node.service.answer = json(answer);
				const kept = { ...parameters, options: { keepInputFiles: true } };
				const { request, items } = await node.runOnce(kept, { files, json: { id: 7 } });
				expectCall(request, path, apiKey);
				sends(request);
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

		it('text to speech: text is sent, and an audio file comes out, byte for byte', async () => {
			const speech = wav(0.3);
			node.service.answer = bytes(speech, 'audio/wav');
			const options = { keepInputFiles: true };
			const parameters = { ...textToSpeech, text: 'Grüß dich 👋', voiceId: 'vc_1', options };
			const { request, items } = await node.runOnce({
				...parameters,
				outputPropertyName: 'spoken',
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
	},
);
