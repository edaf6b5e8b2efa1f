/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileParts, send, Stage } from './client';
import { wav } from '../support/recordings';

const stage = new Stage();
const judge = async (key?: string) => await stage.json('sentiment', { text: 'Good' }, key);

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

test('a revoked key works until the delay is over, and then its calls are in Usage', async () => {
	await stage.withSettings({ revocationDelayMs: 1000 }, async () => {
		const wanted = { environment: 'sandbox', scopes: ['sentiment'] };
		const { id, key, prefix } = await stage.api('POST', '/keys', wanted);
		await stage.api('DELETE', `/keys/${id}`);
		expect((await judge(key)).status).toBe(200);
		await delay(1050);
		expect((await judge(key)).status).toBe(401);
		const record = { keyPrefix: prefix, status: 401, credits: 0, operation: 'sentiment' };
		expect(await stage.lastCall()).toMatchObject(record);
	});
});

test.each<[what: string, status: number, code: string, call: () => Promise<{ status: number }>]>([
	['without credits', 402, 'insufficient_credits', async () => await judge(await poorKey())],
	['of a key of another product', 403, 'not_allowed', async () => await judge(await foreignKey())],
	['to an unknown path', 404, 'no_such_endpoint', async () => await stage.json('x', {})],
	[
		'with an unknown voice',
		404,
		'unknown_voice',
		async () => await stage.json('text-to-speech', { text: 'Hi', voice_id: 'x' }),
	],
	['with GET', 405, 'method_not_allowed', async () => await get()],
	['with a long text', 413, 'too_large', async () => await stage.json('amd', { text: 'Hello' })],
	[
		'with a file that is not audio',
		415,
		'unsupported_format',
		async () => await stage.form('amd', fileParts(Buffer.from('no audio'))),
	],
])('a call %s has status %i, and costs nothing', async (_what, status, code, call) => {
	await stage.withSettings({ maxTextCharacters: 4 }, async () => {
		expect(await call()).toMatchObject({
			...{ status, json: { error: { code, message: expect.stringMatching(/\.$/) } } },
			headers: { 'x-emulated': 'voice-speech emulator', ...(status === 405 && { allow: 'POST' }) },
		});
		expect(await stage.lastCall()).toMatchObject({ status, credits: 0 });
	});
});

async function foreignKey(): Promise<string> {
	const wanted = { environment: 'sandbox', scopes: ['sentiment'], product: 'other' };
	return (await stage.api('POST', '/keys', wanted)).key;
}

async function poorKey(): Promise<string> {
	await stage.api('PUT', '/wallets/live', { balance: 0 });
	return await stage.emulator.createKey('live');
}

const get = async () =>
	await send(`${stage.emulator.baseUrl}/ai/amd`, {
		method: 'GET',
		headers: { 'X-API-Key': stage.key },
	});

test('the prefix decides the wallet and the environment; a call is in Usage at once', async () => {
	await stage.api('PUT', '/wallets/live', { balance: 100 });
	const live = await stage.emulator.createKey('live');
	const [sandboxBefore, liveBefore] = await stage.balances();
	const one = await judge();
	expect(await stage.balances()).toEqual([sandboxBefore - 1, liveBefore]);
	expect(await stage.lastCall()).toEqual({
		id: expect.any(Number),
		at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
		operation: 'sentiment',
		path: '/ai/sentiment',
		environment: 'sandbox',
		testData: true,
		credits: 1,
		status: 200,
		keyPrefix: `${stage.key.slice(0, 13)}…`,
		bytesIn: '{"text":"Good"}'.length,
	});
	await stage.withSettings({ creditCosts: { sentiment: 7 } }, async () => {
		expect((await judge(live)).json).toEqual(one.json);
	});
	expect(await stage.balances()).toEqual([sandboxBefore - 1, liveBefore - 7]);
	const liveCall = { environment: 'live', testData: false, credits: 7 };
	expect(await stage.lastCall()).toMatchObject(liveCall);
});

test('simultaneous calls cannot overdraw a wallet', async () => {
	const { sandbox } = await stage.api('GET', '/wallets');
	await stage.api('PUT', '/wallets/sandbox', { balance: 5 });
	const calls = Array.from({ length: 12 }, async () => await stage.transcribe(wav()));
	const statuses = (await Promise.all(calls)).map(({ status }) => status).sort();
	expect(statuses).toEqual([200, 200, ...Array.from({ length: 10 }, () => 402)]);
	expect((await stage.balances())[0]).toBe(1);
	await stage.api('PUT', '/wallets/sandbox', sandbox);
});

test('calls above the rate limit of a key are refused with Retry-After', async () => {
	await stage.withSettings({ rateLimitPerSecond: 2, retryAfterSeconds: 3 }, async () => {
		const [before] = await stage.balances();
		expect([(await judge()).status, (await judge()).status]).toEqual([200, 200]);
		expect(await judge()).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
		expect((await stage.balances())[0]).toBe(before - 2);
		expect((await judge(await stage.emulator.createKey('sandbox'))).status).toBe(200);
		await delay(1050);
		expect((await judge()).status).toBe(200);
	});
});

test.each([
	['{"text": "Hello", "language": 5}', 'application/json', 400],
	['["text"]', 'application/json', 400],
	[Buffer.from('7b2274657874223a22ff227d', 'hex'), 'application/json', 400],
	['text=Hello', 'application/x-www-form-urlencoded', 415],
	['{"text": "Hello"}', 'application/ld+json; charset=utf-8', 200],
])('a call with %s as %s has status %d', async (body, type, status) => {
	const headers = { 'X-API-Key': stage.key, 'Content-Type': type };
	const response = await send(`${stage.emulator.baseUrl}/ai/amd`, { headers, body });
	expect(response.status).toBe(status);
});
