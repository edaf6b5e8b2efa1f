/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import type { INodeParameters } from 'n8n-workflow';

import { Engine, type BinaryMode } from '../support/engine';
import { bytes, json, Recorder, sha256 } from '../support/recorder';
import { wav } from '../support/recordings';

const recording = wav();
const apiKey = 'eak_test_wire';

describe.each<BinaryMode>(['filesystem', 'default'])('on the wire, binary mode %s', (mode) => {
	let engine: Engine;
	let service: Recorder;

	beforeAll(async () => {
		engine = await Engine.start(mode);
		service = await Recorder.start();
	});

	afterAll(async () => await service.stop());

	beforeEach(() => service.reset(json({ ok: true })));

	async function run(parameters: INodeParameters, json = {}) {
		const item = await engine.item(json, {
			data: { bytes: recording, fileName: 'call.wav', mimeType: 'audio/wav' },
		});
		return await engine.run({
			parameters,
			items: [item],
			credential: { apiKey, environment: 'sandbox', baseUrl: service.baseUrl },
		});
	}

	const headers = ['Accept', 'Accept-Encoding', 'X-API-Key', 'User-Agent', 'Host', 'Connection'];

	it('sends speech to text as one file and its language', async () => {
		service.answer = json({ text: 'hello', words: [1, 2] });
		const { items, error } = await run({
			resource: 'speech',
			operation: 'speechToText',
			language: 'en',
		});
		expect(error).toBeUndefined();
		expect(service.requests).toHaveLength(1);
		const [request] = service.requests;
		expect(request).toMatchObject({ method: 'POST', url: '/ai/speech-to-text' });
		expect(request?.headers['x-api-key']).toBe(apiKey);
		expect(request?.headerNames.map((name) => name.toLowerCase()).sort()).toEqual(
			[...headers, 'Content-Type', 'Content-Length'].map((name) => name.toLowerCase()).sort(),
		);
		expect(Number(request?.headers['content-length'])).toBe(request?.body.length);
		expect(
			request?.parts.map(({ name, fileName, headers, sha256 }) => ({
				name,
				fileName,
				type: headers['content-type'],
				sha256,
			})),
		).toEqual([
			{ name: 'file', fileName: 'call.wav', type: 'audio/wav', sha256: sha256(recording) },
			{ name: 'language', fileName: undefined, type: undefined, sha256: sha256(Buffer.from('en')) },
		]);
		expect(items).toEqual([
			{
				json: { text: 'hello', words: [1, 2] },
				binary: { data: expect.objectContaining({ fileName: 'call.wav' }) },
				pairedItem: { item: 0 },
			},
		]);
	});

	it('speaks a text into a file, byte for byte', async () => {
		const speech = wav(0.3);
		service.answer = bytes(speech, 'audio/wav');
		const { items, error } = await run({
			resource: 'speech',
			operation: 'textToSpeech',
			text: 'Grüß dich 👋',
			voiceId: 'vc_1',
			outputPropertyName: 'spoken',
		});
		expect(error).toBeUndefined();
		const [request] = service.requests;
		expect(request?.headers['content-type']).toBe('application/json');
		expect(request?.body.toString()).toBe('{"text":"Grüß dich 👋","voice_id":"vc_1"}');
		expect(items[0]?.json).toEqual({
			fileName: 'speech.wav',
			mimeType: 'audio/wav',
			bytes: speech.length,
			voiceId: 'vc_1',
			characters: 11,
		});
		expect(Object.keys(items[0]?.binary ?? {}).sort()).toEqual(['data', 'spoken']);
		expect(sha256(await engine.read(items[0]?.binary?.spoken))).toBe(sha256(speech));
	});
});
