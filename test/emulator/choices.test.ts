/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileParts, send, Stage } from './client';
import { wav } from '../support/recordings';

const JSON_TYPE = 'application/json; charset=utf-8';

const stage = new Stage([], { PATH: '' });

test('the README lists every setting with its default', async () => {
	const settings: Record<string, unknown> = await stage.api('GET', '/settings');
	const file = path.resolve(__dirname, '../../dev/emulator/README.md');
	const readme = readFileSync(file, 'utf8');
	for (const [name, value] of Object.entries(settings)) {
		const row = new RegExp(`^\\| \`${name}\` .*$`, 'm').exec(readme)?.[0] ?? '';
		const defaults =
			typeof value === 'object' && value !== null
				? Object.entries(value).map(([part, number]) => `\`${part}\` ${String(number)}`)
				: [value === '' ? 'empty' : String(value)];
		for (const one of defaults) expect([name, row]).toEqual([name, expect.stringContaining(one)]);
	}
});

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
		['html', 'text/html; charset=utf-8', /<h1>403 Forbidden<\/h1>.*&#60;script&#62;/],
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
});

test('speech is WAV with its own type and with a wrong one, raw samples, or base64 in JSON', async () => {
	const voice = await stage.clone(wav());
	const inEncoding = async (ttsEncoding: string) => {
		await stage.set({ ttsEncoding });
		return await stage.json('text-to-speech', { text: 'Hello', voice_id: voice });
	};
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
	// There is no espeak-ng in PATH.
	await stage.set({ ttsEngine: 'espeak' });
	expect((await inEncoding('wav')).status).toBe(501);
});
