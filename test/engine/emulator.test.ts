import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { startEmulator, type RunningEmulator } from '../support/emulator';
import { Engine } from '../support/engine';
import { speak, speechToText } from '../support/node';
import { sha256 } from '../support/recorder';
import { wav } from '../support/recordings';

/** A line of the emulator's usage dashboard. */
interface Call {
	id: number;
	path: string;
	status: number;
	credits: number;
	environment: string;
	testData: boolean;
	bytesIn: number;
}

const started = 1000;

const clone = { resource: 'voice', operation: 'clone', voiceName: 'Anna' };

const sample = wav(6);

let engine: Engine;
let emulator: RunningEmulator;
let keys: Record<'sandbox' | 'live', string>;
let lastCall = 0;

beforeAll(async () => {
	engine = await Engine.start();
	emulator = await startEmulator([
		...['--credits-sandbox', String(started)],
		...['--credits-live', String(started)],
	]);
	keys = { sandbox: await emulator.createKey('sandbox'), live: await emulator.createKey('live') };
});

afterAll(async () => await emulator.stop());

beforeEach(async () => {
	await setBalances(started);
	await newCalls();
});

afterEach(async () => {
	await emulator.api('PUT', '/settings', { errorShape: 'nested', ttsEncoding: 'wav' });
});

async function setBalances(balance: number): Promise<void> {
	await emulator.api('PUT', '/wallets/sandbox', { balance });
	await emulator.api('PUT', '/wallets/live', { balance });
}

/** The calls in the usage dashboard since the last time. */
async function newCalls(): Promise<Call[]> {
	const { calls } = (await emulator.api('GET', `/usage?after=${lastCall}`)) as { calls: Call[] };
	lastCall = calls.at(-1)?.id ?? lastCall;
	return calls;
}

async function balances(): Promise<{ sandbox: number; live: number }> {
	const { sandbox, live } = (await emulator.api('GET', '/wallets')) as Record<
		'sandbox' | 'live',
		{ balance: number }
	>;
	return { sandbox: sandbox.balance, live: live.balance };
}

interface Given {
	items?: INodeExecutionData[];
	environment?: 'sandbox' | 'live';
	apiKey?: string;
}

async function run(parameters: INodeParameters, given: Given = {}) {
	const { environment = 'sandbox', apiKey = keys[environment], items } = given;
	return await engine.run({
		parameters,
		items: items ?? [
			await engine.item({}, { data: { bytes: sample, fileName: 'a.wav', mimeType: 'audio/wav' } }),
		],
		credential: { apiKey, environment, baseUrl: emulator.baseUrl },
	});
}

async function runWell(parameters: INodeParameters, given?: Given) {
	const { items, error } = await run(parameters, given);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	return items[0] as INodeExecutionData;
}

async function newVoice(): Promise<string> {
	return String((await runWell(clone)).json.voice_id);
}

describe('end to end', () => {
	it('a voice is cloned, speaks a text, and speech to text gives the text back', async () => {
		const text = 'Grüß dich, “Anna”! 你好 👋';
		const cloned = await runWell(clone);
		expect(cloned.json.voice_id).toMatch(/^vc_\w+$/);
		expect(cloned.json).toMatchObject({ recording: { sha256: sha256(sample) } });
		expect(cloned.json).not.toHaveProperty('sampleWarnings');

		const voiceId = String(cloned.json.voice_id);
		const spoken = await runWell({ ...speak, text, voiceId });
		const file = await engine.read(spoken.binary?.data);
		expect(spoken.json).toEqual({
			fileName: 'speech.wav',
			mimeType: 'audio/wav',
			bytes: file.length,
			voiceId,
			characters: [...text].length,
		});

		const heard = await runWell(speechToText, { items: [spoken] });
		expect(heard.json).toMatchObject({
			text,
			recording: { name: 'speech.wav', sha256: sha256(file), format: 'WAV' },
		});

		expect(await newCalls()).toMatchObject([
			{ path: '/ai/voice-clone', credits: 10, status: 200, testData: true },
			{ path: '/ai/text-to-speech', credits: 1, status: 200, testData: true },
			{ path: '/ai/speech-to-text', credits: 2, status: 200, testData: true },
		]);
		expect(await balances()).toEqual({ sandbox: started - 13, live: started });
	});

	const text = 'Please call me back tomorrow. I love this service!';

	it.each<[string, string, string, number, object]>([
		['speech', 'createTranscription', '/ai/transcriptions', 3, { status: 'completed', text }],
		['language', 'detectLanguage', '/ai/language-detection', 1, { language: 'en', text }],
		['language', 'analyzeSentiment', '/ai/sentiment', 1, { sentiment: 'positive', text }],
		['language', 'recognizeIntent', '/ai/intent', 1, { intent: 'call_back', text }],
		['call', 'analyzeCall', '/ai/post-call-analytics', 4, { sentences: 2 }],
		['call', 'detectAnsweringMachine', '/ai/amd', 1, { result: 'human', text }],
	])('%s, %s: a text and what was spoken of it', async (resource, operation, path, cost, says) => {
		const spoken = await runWell({ ...speak, text, voiceId: await newVoice() });
		await newCalls();
		await setBalances(started);

		const given = { resource, operation };
		const ofText = await runWell({ ...given, inputType: 'text', text });
		const ofAudio = await runWell({ ...given, inputType: 'audio' }, { items: [spoken] });
		const ofJson = await runWell({
			...given,
			inputType: 'json',
			jsonBody: JSON.stringify({ text, language: 'en' }),
		});
		for (const { json } of [ofText, ofAudio, ofJson]) expect(json).toMatchObject(says);
		expect(ofAudio.json).toMatchObject({ recording: { name: 'speech.wav' } });

		const call = { path, credits: cost, status: 200, environment: 'sandbox' };
		expect(await newCalls()).toMatchObject([call, call, call]);
		expect(await balances()).toEqual({ sandbox: started - 3 * cost, live: started });
	});

	it('a live key debits the live wallet, at the same address', async () => {
		await runWell(speechToText, { environment: 'live' });
		expect(await newCalls()).toMatchObject([{ environment: 'live', testData: false, credits: 2 }]);
		expect(await balances()).toEqual({ sandbox: started, live: started - 2 });
	});

	it('what is refused before it is sent does not even show in the dashboard', async () => {
		const { error } = await run(
			{ ...speechToText, allowedEnvironment: 'sandbox' },
			{ environment: 'live' },
		);
		expect(error?.message).toContain('sandbox keys only');
		expect(await newCalls()).toEqual([]);
		expect(await balances()).toEqual({ sandbox: started, live: started });
	});
});

describe('text to speech, whatever the service makes of it', () => {
	it.each([
		['wav', 'speech.wav', 'audio/wav'],
		['mislabelled', 'speech.wav', 'audio/wav'],
		['pcm', 'speech.pcm', expect.stringMatching(/^audio\/L16; ?rate=16000/)],
	])('%s', async (ttsEncoding, fileName, mimeType) => {
		const voiceId = await newVoice();
		await emulator.api('PUT', '/settings', { ttsEncoding });
		const { json, binary } = await runWell({ ...speak, voiceId });
		expect(json).toMatchObject({ fileName, mimeType });
		expect(await engine.read(binary?.data)).toHaveLength(json.bytes as number);
	});

	it('audio inside JSON is an error that says so', async () => {
		const voiceId = await newVoice();
		await emulator.api('PUT', '/settings', { ttsEncoding: 'base64json' });
		const { error } = await run({ ...speak, voiceId });
		expect(error?.message).toContain('returned JSON instead of audio');
		expect(error?.description).toContain(`The response starts with '{"audio":"`);
	});
});

describe("the service's own words arrive", () => {
	it.each(['nested', 'message', 'detail', 'detailList', 'errors', 'problem', 'text', 'html'])(
		'from the error shape %s',
		async (errorShape) => {
			await emulator.api('PUT', '/settings', { errorShape });
			const { error } = await run({ ...speak, voiceId: 'vc_nobody' });
			expect(error?.message).toMatch(
				/^Not found: \/ai\/text-to-speech \(404\): .*There is no voice with this voice_id\.$/,
			);
			expect(error?.description).toContain("Check 'Voice ID', which is 'vc_nobody',");
			expect(await newCalls()).toMatchObject([{ status: 404, credits: 0 }]);
		},
	);

	it('or nothing, where there are none', async () => {
		await emulator.api('PUT', '/settings', { errorShape: 'empty' });
		const { error } = await run({ ...speak, voiceId: 'vc_nobody' });
		expect(error?.message).toBe('Not found: /ai/text-to-speech (404)');
	});

	it('for a key that is unknown, one without the scope, and an empty wallet', async () => {
		const unknown = await run(speechToText, { apiKey: 'eak_test_unknown' });
		expect(unknown.error?.message).toBe(
			'The service does not accept the API key (401): This API key is unknown or was revoked.',
		);
		const apiKey = await emulator.createKey('sandbox', ['amd']);
		const lacking = await run(speechToText, { apiKey });
		expect(lacking.error?.message).toBe(
			'The API key is not allowed to do this (403): This API key lacks the scope "speech-to-text".',
		);
		expect(lacking.error?.description).toContain(
			"a key of this product with the scope 'speech-to-text'",
		);
		await emulator.api('PUT', '/wallets/sandbox', { balance: 1 });
		const empty = await run(speechToText);
		expect(empty.error?.message).toBe(
			'The sandbox wallet has no credits left for this call (402): The sandbox credit wallet has too few credits for this call.',
		);
		expect(empty.error?.description).toContain('eak_test_');
		expect(await balances()).toEqual({ sandbox: 1, live: started });
	});
});
