import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { startEmulator, type RunningEmulator } from '../support/emulator';
import { Engine } from '../support/engine';
import { clone, speak, speechToText } from '../support/node';
import { wav } from '../support/recordings';
import { sha256 } from '../support/scriptedServer';

// The example of each operation runs against the emulator in test/docs/operations.test.ts.

const started = 1000;

const sample = wav(6);

let engine: Engine;
let emulator: RunningEmulator;
let keys: Record<'sandbox' | 'live', string>;

beforeAll(async () => {
	engine = await Engine.start();
	emulator = await startEmulator();
	keys = { sandbox: await emulator.createKey('sandbox'), live: await emulator.createKey('live') };
	await emulator.api('PUT', '/settings', { extraResponseFields: true });
});

afterAll(async () => await emulator.stop());

let lastCall = 0;

/** The calls in the usage dashboard since the last time. */
async function newCalls(): Promise<object[]> {
	const { calls } = (await emulator.api('GET', `/usage?after=${lastCall}`)) as {
		calls: Array<{ id: number }>;
	};
	lastCall = calls.at(-1)?.id ?? lastCall;
	return calls;
}

beforeEach(async () => {
	await emulator.api('PUT', '/wallets/sandbox', { balance: started });
	await emulator.api('PUT', '/wallets/live', { balance: started });
	await newCalls();
});

async function expectBalances(sandbox: number, live: number): Promise<void> {
	const wallets = await emulator.api('GET', '/wallets');
	expect(wallets).toMatchObject({ sandbox: { balance: sandbox }, live: { balance: live } });
}

async function run(
	parameters: INodeParameters,
	items?: INodeExecutionData[],
	environment: 'sandbox' | 'live' = 'sandbox',
) {
	const data = { bytes: sample, fileName: 'a.wav', mimeType: 'audio/wav' };
	return await engine.run({
		parameters,
		items: items ?? [await engine.item({}, { data })],
		credential: { apiKey: keys[environment], environment, baseUrl: emulator.baseUrl },
	});
}

async function runWell(...call: Parameters<typeof run>) {
	const { items, error } = await run(...call);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	return items[0] as INodeExecutionData;
}

it('a voice is cloned, reads a text aloud, and speech to text returns the text', async () => {
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

	const heard = await runWell(speechToText, [spoken]);
	expect(heard.json).toMatchObject({
		text,
		recording: { name: 'speech.wav', sha256: sha256(file), format: 'WAV' },
	});

	expect(await newCalls()).toMatchObject([
		{ path: '/ai/voice-clone', credits: 10, status: 200, testData: true },
		{ path: '/ai/text-to-speech', credits: 1, status: 200, testData: true },
		{ path: '/ai/speech-to-text', credits: 2, status: 200, testData: true },
	]);
	await expectBalances(started - 13, started);
});

it('a live key debits the live wallet, at the same address', async () => {
	await runWell(speechToText, undefined, 'live');
	expect(await newCalls()).toMatchObject([{ environment: 'live', testData: false, credits: 2 }]);
	await expectBalances(started, started - 2);
});

it('a call that the wallet cannot pay is refused, and its error quotes the service', async () => {
	await emulator.api('PUT', '/wallets/sandbox', { balance: 1 });
	const { error } = await run(speechToText);
	expect(error?.message).toMatch(/^The sandbox wallet has no credits left .* has too few credits/);
	await expectBalances(1, started);
});
