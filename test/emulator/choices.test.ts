/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileParts, send, Stage } from './client';
import { wav } from '../support/recordings';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The only folder with programs, so that the programs of this machine do not matter. */
const programs = mkdtempSync(path.join(tmpdir(), 'emulator-programs-'));
const stage = new Stage([], { PATH: programs });
let voice: string;

beforeAll(async () => (voice = await stage.clone(wav())));
afterAll(() => rmSync(programs, { recursive: true }));

const speak = async () => await stage.json('text-to-speech', { text: 'Hello', voice_id: voice });

describe('error bodies', () => {
	const message = '"text" must be a text that is not empty.';
	const code = 'invalid_field';
	const detailList = { detail: [{ loc: ['body', 'text'], msg: message, type: code }] };
	const problem = { type: 'about:blank', title: 'Bad Request', status: 400, detail: message, code };
	afterAll(async () => await stage.set({ errorShape: 'nested' }));

	test.each([
		['nested', JSON_TYPE, { error: { message, code } }],
		['message', JSON_TYPE, { message }],
		['detail', JSON_TYPE, { detail: message }],
		['detailList', JSON_TYPE, detailList],
		['errors', JSON_TYPE, { errors: { text: [message] } }],
		['problem', 'application/problem+json; charset=utf-8', problem],
	])('%s', async (errorShape, type, body) => {
		await stage.set({ errorShape });
		const { status, headers, json } = await stage.json('sentiment', { text: '' });
		expect([status, headers['content-type'], json]).toEqual([400, type, body]);
	});

	test.each([
		['text', 'text/plain; charset=utf-8', /^This API key is for the product "<script>"\.$/],
		[
			'html',
			'text/html; charset=utf-8',
			/^(?!.*<script>).*<h1>403 Forbidden<\/h1>.*&#60;script&#62;/,
		],
		['empty', undefined, /^$/],
	])('%s', async (errorShape, type, body) => {
		await stage.set({ errorShape });
		const wanted = { environment: 'sandbox', scopes: [], product: '<script>' };
		const { key } = await stage.api('POST', '/keys', wanted);
		const { status, headers, text } = await stage.json('amd', {}, key);
		expect([status, headers['content-type']]).toEqual([403, type]);
		expect(text).toMatch(body);
	});
});

test('each refusal has the status that the settings give it, and costs nothing', async () => {
	const live = await stage.emulator.createKey('live');
	const narrow = await stage.emulator.createKey('sandbox', []);
	const { live: wallet } = await stage.api('GET', '/wallets');
	await stage.api('PUT', '/wallets/live', { balance: 0 });
	const { statusCodes } = await stage.api('GET', '/settings');
	const text = { text: 'Hi' };
	const get = { method: 'GET', headers: { 'X-API-Key': stage.key } };
	const noAudio = fileParts(Buffer.from('no audio'));
	const refusals: Record<string, () => Promise<{ status: number }>> = {
		unauthorized: async () => await stage.json('amd', text, 'eak_test_x'),
		paymentRequired: async () => await stage.json('amd', text, live),
		forbidden: async () => await stage.json('amd', text, narrow),
		notFound: async () => await stage.json('x', text),
		unknownVoice: async () => await stage.json('text-to-speech', { ...text, voice_id: 'x' }),
		methodNotAllowed: async () => await send(`${stage.emulator.baseUrl}/ai/amd`, get),
		tooLarge: async () => await stage.json('amd', { text: 'Hello' }),
		unsupportedFormat: async () => await stage.form('amd', noAudio),
		badField: async () => await stage.json('amd', {}),
		rateLimited: async () => {
			await stage.set({ rateLimitPerSecond: 1 });
			await stage.json('amd', text);
			return await stage.json('amd', text);
		},
	};
	expect(Object.keys(refusals).sort()).toEqual(Object.keys(statusCodes).sort());
	await stage.withSettings({ maxTextCharacters: 3 }, async () => {
		let other = 440;
		for (const [reason, refusal] of Object.entries(refusals)) {
			const { id } = await stage.lastCall();
			const { status } = await refusal();
			expect([reason, status]).toEqual([reason, statusCodes[reason]]);
			const last = await stage.lastCall();
			// Of an unknown key there is nobody's usage.
			if (reason === 'unauthorized') expect(last.id).toBe(id);
			else expect(last).toMatchObject({ status, credits: 0 });
			await stage.set({ statusCodes: { [reason]: ++other } });
			expect([reason, (await refusal()).status]).toEqual([reason, other]);
		}
	});
	await stage.api('PUT', '/wallets/live', wallet);
});

describe('encodings of speech', () => {
	const inEncoding = async (ttsEncoding: string) => {
		await stage.set({ ttsEncoding });
		return await speak();
	};
	afterAll(async () => await stage.set({ ttsEncoding: 'wav' }));

	test('WAV with its own type and with a wrong one, raw samples, and base64 in JSON', async () => {
		const { body, headers } = await inEncoding('wav');
		expect(headers['content-type']).toBe('audio/wav');
		const wrong = await inEncoding('mislabelled');
		expect(wrong.headers['content-type']).toBe('audio/mpeg');
		expect(wrong.body.equals(body)).toBe(true);
		const raw = await inEncoding('pcm');
		expect(raw.headers['content-type']).toBe('audio/L16;rate=16000;channels=1');
		const samples = Buffer.from(body.subarray(body.indexOf('data', 12) + 8));
		expect(raw.body.equals(samples.swap16())).toBe(true);
		const { json } = await inEncoding('base64json');
		expect(json).toEqual({ content_type: 'audio/wav', audio: body.toString('base64') });
	});
});

test('without espeak-ng the engine is tones, and only "espeak" is refused', async () => {
	expect((await speak()).status).toBe(200);
	await stage.withSettings({ ttsEngine: 'espeak' }, async () => {
		expect((await speak()).status).toBe(501);
	});
});

describe('with an espeak-ng that fails', () => {
	const file = path.join(programs, 'espeak-ng');
	beforeAll(() => {
		const script = "process.exit(process.argv.includes('--version') ? 0 : 1);";
		writeFileSync(file, `#!${process.execPath}\n${script}`);
		chmodSync(file, 0o755);
	});
	// Its own emulator, because an emulator looks for espeak-ng only once.
	const own = new Stage([], { PATH: programs });
	afterAll(() => rmSync(file));

	test('the call is refunded', async () => {
		const body = { text: 'Hello', voice_id: await own.clone(wav()) };
		const before = await own.balances();
		await own.set({ ttsEngine: 'espeak' });
		expect((await own.json('text-to-speech', body)).status).toBe(500);
		expect(await own.balances()).toEqual(before);
		expect(await own.lastCall()).toMatchObject({ credits: 0, status: 500 });
		await own.set({ ttsEngine: 'auto' });
		expect((await own.json('text-to-speech', body)).status).toBe(200);
	});
});

test.each([
	['errorShape', { errorShape: 'nothing' }],
	['noSetting', { noSetting: 1 }],
	['toString', { toString: 1 }],
	['latencyMs', { latencyMs: -1 }],
	['latencyMs', { latencyMs: '5' }],
	['latencyMs', { latencyMs: 1e9 }],
	['statusCodes.badField', { statusCodes: { badField: 200 } }],
	['statusCodes.nothing', { statusCodes: { nothing: 400 } }],
	['statusCodes', { statusCodes: 400 }],
	['creditCosts.amd', { creditCosts: { amd: 0.5 } }],
	['cloneStatus', { cloneStatus: 202 }],
	['voiceIdRequired', { voiceIdRequired: 'yes' }],
	['voiceCloneScope', { voiceCloneScope: 'Voice Clone' }],
])('a wrong %s is refused, and no other setting is changed: %j', async (name, wrong) => {
	const before = await stage.api('GET', '/settings');
	const { status, json } = await send(`${stage.emulator.consoleUrl}/api/settings`, {
		method: 'PUT',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ cloneStatus: 201, ...wrong }),
	});
	expect([status, json.error]).toEqual([400, expect.stringContaining(`"${name}"`)]);
	expect(await stage.api('GET', '/settings')).toEqual(before);
});
