/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { send, Stage } from './client';

const stage = new Stage();
const judge = async (key?: string) => await stage.json('sentiment', { text: 'Good' }, key);

const createKey = async (others: object = {}) =>
	await stage.api('POST', '/keys', { environment: 'sandbox', scopes: ['sentiment'], ...others });

test('the README lists every setting with its default', async () => {
	const { creditCosts, ...settings } = await stage.api('GET', '/settings');
	const file = path.resolve(__dirname, '../../dev/emulator/README.md');
	const readme = readFileSync(file, 'utf8').replace(/ +/g, ' ');
	for (const [name, value] of Object.entries(settings)) {
		const isDefault = `\`?${value === '' ? 'empty' : String(value)}\`?`;
		expect(readme).toMatch(new RegExp(`^\\| \`${name}\` \\| ${isDefault} \\|`, 'm'));
	}
	for (const [operation, credits] of Object.entries(creditCosts)) {
		expect(readme).toContain(`\`${operation}\` ${String(credits)}`);
	}
});

test('a revoked key works until the delay is over, and then its calls are in Usage', async () => {
	await stage.withSettings({ revocationDelayMs: 1000 }, async () => {
		const { id, key, prefix } = await createKey();
		await stage.api('DELETE', `/keys/${id}`);
		expect((await judge(key)).status).toBe(200);
		await delay(1050);
		expect((await judge(key)).status).toBe(401);
		const record = { keyPrefix: prefix, status: 401, credits: 0, operation: 'sentiment' };
		expect(await stage.lastCall()).toMatchObject(record);
	});
});

test.each<[what: string, status: number, operation: string, body?: object, key?: object]>([
	['without credits', 402, 'sentiment', { text: 'Good' }, { environment: 'live' }],
	['of a key of another product', 403, 'sentiment', { text: 'Good' }, { product: 'other' }],
	['to an unknown path', 404, 'x', {}],
	['with an unknown voice', 404, 'text-to-speech', { text: 'Hi', voice_id: 'x' }],
	['with GET', 405, 'amd'],
	['with a long text', 413, 'amd', { text: 'Hello' }],
])('a call %s has status %i, and costs nothing', async (...[, status, operation, body, other]) => {
	const key = other ? (await createKey(other)).key : stage.key;
	await stage.api('PUT', '/wallets/live', { balance: 0 });
	await stage.withSettings({ maxTextCharacters: 4 }, async () => {
		const get = { method: 'GET', headers: { 'X-API-Key': key } };
		const response = body
			? await stage.json(operation, body, key)
			: await send(`${stage.emulator.baseUrl}/ai/${operation}`, get);
		expect(response).toMatchObject({
			status,
			json: { error: { message: expect.stringMatching(/\.$/) } },
			headers: { 'x-emulated': 'voice-speech emulator' },
		});
		const method = body ? 'POST' : 'GET';
		expect(await stage.lastCall()).toMatchObject({ method, status, credits: 0 });
	});
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
		method: 'POST',
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
