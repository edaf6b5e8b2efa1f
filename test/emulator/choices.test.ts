/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmulator, type RunningEmulator } from '../support/emulator';
import { cloneVoice, fileParts, send, sendForm, sendJson } from './client';
import { wav } from './recordings';

/** A folder with programs of our own: what the machine has must not decide these tests. */
const programs = mkdtempSync(path.join(tmpdir(), 'emulator-programs-'));
let emulator: RunningEmulator;
let key: string;
let voice: string;

beforeAll(async () => {
	emulator = await startEmulator([], { PATH: programs });
	key = await emulator.createKey('sandbox');
	voice = await cloneVoice(emulator, key, wav());
});
afterAll(async () => {
	await emulator.stop();
	rmSync(programs, { recursive: true });
});

const set = async (changes: object) => await emulator.api('PUT', '/settings', changes);
const say = async (target = emulator, voiceId = voice, value = key) =>
	await sendJson(target, value, 'text-to-speech', { text: 'Hello', voice_id: voiceId });

describe('error bodies', () => {
	const message = '"text" must be a text that is not empty.';
	const code = 'invalid_field';
	afterAll(async () => await set({ errorShape: 'nested' }));

	test.each([
		['nested', 'application/json; charset=utf-8', { error: { message, code } }],
		['message', 'application/json; charset=utf-8', { message }],
		['detail', 'application/json; charset=utf-8', { detail: message }],
		[
			'detailList',
			'application/json; charset=utf-8',
			{ detail: [{ loc: ['body', 'text'], msg: message, type: code }] },
		],
		['errors', 'application/json; charset=utf-8', { errors: { text: [message] } }],
		[
			'problem',
			'application/problem+json; charset=utf-8',
			{ type: 'about:blank', title: 'Bad Request', status: 400, detail: message, code },
		],
	])('%s', async (errorShape, type, body) => {
		await set({ errorShape });
		const answer = await sendJson(emulator, key, 'sentiment', { text: '' });
		expect(answer.status).toBe(400);
		expect(answer.headers['content-type']).toBe(type);
		expect(answer.json).toEqual(body);
	});

	test('text, HTML and nothing at all', async () => {
		const { key: foreign } = await emulator.api('POST', '/keys', {
			environment: 'sandbox',
			scopes: [],
			product: '<script>',
		});
		const refuse = async (errorShape: string) => {
			await set({ errorShape });
			return await sendJson(emulator, foreign, 'amd', {});
		};
		const text = await refuse('text');
		expect(text.headers['content-type']).toBe('text/plain; charset=utf-8');
		expect(text.text).toBe('This API key is for the product "<script>".');
		const html = await refuse('html');
		expect(html.headers['content-type']).toBe('text/html; charset=utf-8');
		expect(html.text).toContain('<h1>403 Forbidden</h1>');
		expect(html.text).not.toContain('<script>');
		expect(html.text).toContain('&#60;script&#62;');
		const empty = await refuse('empty');
		expect([empty.status, empty.text, empty.headers['content-type']]).toEqual([403, '', undefined]);
	});
});

test('each refusal has the status that the settings give it', async () => {
	const live = await emulator.createKey('live');
	const narrow = await emulator.createKey('sandbox', []);
	const { live: wallet } = await emulator.api('GET', '/wallets');
	await emulator.api('PUT', '/wallets/live', { balance: 0 });
	const { statusCodes } = await emulator.api('GET', '/settings');
	await set({ maxTextCharacters: 3 });
	const text = { text: 'Hi' };
	const refusals: Record<string, () => Promise<{ status: number }>> = {
		unauthorized: async () => await sendJson(emulator, 'eak_test_x', 'amd', text),
		paymentRequired: async () => await sendJson(emulator, live, 'amd', text),
		forbidden: async () => await sendJson(emulator, narrow, 'amd', text),
		notFound: async () => await sendJson(emulator, key, 'x', text),
		unknownVoice: async () =>
			await sendJson(emulator, key, 'text-to-speech', { ...text, voice_id: 'x' }),
		methodNotAllowed: async () =>
			await send(`${emulator.baseUrl}/ai/amd`, { method: 'GET', headers: { 'X-API-Key': key } }),
		tooLarge: async () => await sendJson(emulator, key, 'amd', { text: 'Hello' }),
		unsupportedFormat: async () =>
			await sendForm(emulator, key, 'amd', fileParts(Buffer.from('no audio'))),
		badField: async () => await sendJson(emulator, key, 'amd', {}),
		rateLimited: async () => {
			await set({ rateLimitPerSecond: 1 });
			await sendJson(emulator, key, 'amd', text);
			return await sendJson(emulator, key, 'amd', text);
		},
	};
	expect(Object.keys(refusals).sort()).toEqual(Object.keys(statusCodes).sort());
	let other = 440;
	for (const [reason, refusal] of Object.entries(refusals)) {
		expect([reason, (await refusal()).status]).toEqual([reason, statusCodes[reason]]);
		await set({ statusCodes: { [reason]: ++other } });
		expect([reason, (await refusal()).status]).toEqual([reason, other]);
	}
	await set({ statusCodes, maxTextCharacters: 0, rateLimitPerSecond: 0 });
	await emulator.api('PUT', '/wallets/live', wallet);
});

describe('encodings of spoken audio', () => {
	const inEncoding = async (ttsEncoding: string) => {
		await set({ ttsEncoding });
		return await say();
	};
	afterEach(async () => await set({ ttsEncoding: 'wav' }));

	test('WAV by its right name and by a wrong one', async () => {
		const right = await inEncoding('wav');
		expect(right.headers['content-type']).toBe('audio/wav');
		const wrong = await inEncoding('mislabelled');
		expect(wrong.headers['content-type']).toBe('audio/mpeg');
		expect(wrong.body.equals(right.body)).toBe(true);
	});

	test('raw samples, the high byte first', async () => {
		const file = (await inEncoding('wav')).body;
		const raw = await inEncoding('pcm');
		expect(raw.headers['content-type']).toBe('audio/L16;rate=16000;channels=1');
		const samples = Buffer.from(file.subarray(file.indexOf('data', 12) + 8));
		expect(raw.body.equals(samples.swap16())).toBe(true);
	});

	test('base64 in JSON', async () => {
		const file = (await inEncoding('wav')).body;
		const { headers, json } = await inEncoding('base64json');
		expect(headers['content-type']).toBe('application/json; charset=utf-8');
		expect(json).toMatchObject({ content_type: 'audio/wav', emulated: true });
		expect(Buffer.from(json.audio, 'base64').equals(file)).toBe(true);
	});

	test.each(['mp3', 'flac', 'ogg'])('%s is refused where no program writes it', async (name) => {
		const { sandbox } = await emulator.api('GET', '/wallets');
		const answer = await inEncoding(name);
		expect(answer.status).toBe(501);
		expect(answer.json.error.message).toContain('ffmpeg or sox');
		expect((await emulator.api('GET', '/wallets')).sandbox).toEqual(sandbox);
	});

	test.each(['ffmpeg', 'sox'])('through %s where there is one', async (program) => {
		const file = path.join(programs, program);
		// Says what it was asked for, and what came in; fails for one format.
		writeFileSync(
			file,
			`#!${process.execPath}
			const args = process.argv.slice(2).join(' ');
			if (/flac/.test(args)) process.exit(1);
			let bytes = '';
			process.stdin.setEncoding('latin1').on('data', (chunk) => (bytes += chunk));
			process.stdin.on('end', () => console.log(args, bytes.slice(0, 4), bytes.length));`,
		);
		chmodSync(file, 0o755);
		const own = await startEmulator([], { PATH: programs });
		const value = await own.createKey('sandbox');
		const voiceId = await cloneVoice(own, value, wav());
		const bytes = (await say(own, voiceId, value)).body.length;
		for (const [ttsEncoding, type] of [
			['mp3', 'audio/mpeg'],
			['ogg', 'audio/ogg'],
		]) {
			await own.api('PUT', '/settings', { ttsEncoding });
			const answer = await say(own, voiceId, value);
			expect(answer.headers['content-type']).toBe(type);
			expect(answer.text).toContain(`RIFF ${bytes}`);
			expect(answer.text).toMatch(ttsEncoding === 'mp3' ? /mp3/ : /vorbis/);
		}
		const { sandbox } = await own.api('GET', '/wallets');
		await own.api('PUT', '/settings', { ttsEncoding: 'flac' });
		const failed = await say(own, voiceId, value);
		expect([failed.status, failed.json.error.code]).toEqual([501, 'not_available_here']);
		// What was debited before the program failed is given back.
		expect((await own.api('GET', '/wallets')).sandbox).toEqual(sandbox);
		expect((await own.api('GET', '/usage')).calls.at(-1)).toMatchObject({
			credits: 0,
			status: 501,
		});
		await own.stop();
		rmSync(file);
	});
});

test('without espeak-ng the tones speak, and only espeak itself is refused', async () => {
	expect((await say()).status).toBe(200);
	await set({ ttsEngine: 'espeak' });
	expect((await say()).status).toBe(501);
	await set({ ttsEngine: 'auto' });
});

test('settings that cannot be are refused, and none of the others is changed', async () => {
	const before = await emulator.api('GET', '/settings');
	for (const wrong of [
		{ errorShape: 'nothing' },
		{ noSetting: 1 },
		{ toString: 1 },
		{ latencyMs: -1 },
		{ latencyMs: '5' },
		{ latencyMs: 1e9 },
		{ statusCodes: { badField: 200 } },
		{ statusCodes: { nothing: 400 } },
		{ statusCodes: 400 },
		{ creditCosts: { amd: 0.5 } },
		{ cloneStatus: 202 },
		{ voiceIdRequired: 'yes' },
		{ voiceCloneScope: 'cloning' },
	]) {
		const answer = await send(`${emulator.consoleUrl}/api/settings`, {
			method: 'PUT',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify({ cloneStatus: 201, ...wrong }),
		});
		expect([wrong, answer.status]).toEqual([wrong, 400]);
		expect(answer.json.error).toContain(Object.keys(wrong)[0]);
	}
	expect(await emulator.api('GET', '/settings')).toEqual(before);
});
