/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { setTimeout as delay } from 'node:timers/promises';
import { send, Stage } from './client';
import { wav } from '../support/recordings';

const stage = new Stage();
const url = (operation: string) => `${stage.emulator.baseUrl}/ai/${operation}`;
const judge = async (key?: string) => await stage.json('sentiment', { text: 'Good' }, key);

describe('keys', () => {
	test('a missing, empty or unknown key is refused', async () => {
		for (const headers of [
			{},
			{ 'X-API-Key': '' },
			{ 'X-API-Key': `eak_test_${'a'.repeat(32)}` },
			{ Authorization: `Bearer ${stage.key}` },
		]) {
			const { status, json } = await send(url('sentiment'), { headers });
			expect([status, json.error.code]).toEqual([401, 'invalid_api_key']);
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
});

describe('methods and paths', () => {
	test.each(['GET', 'OPTIONS'])('%s is refused, with Allow', async (method) => {
		const request = { method, headers: { 'X-API-Key': stage.key } };
		const { status, headers } = await send(url('speech-to-text'), request);
		expect([status, headers.allow]).toEqual([405, 'POST']);
		expect((await send(url('speech-to-text'), { method })).status).toBe(401);
	});

	test.each([
		['nothing', 404],
		['sentiment/more', 404],
		['sentiment?a=b', 200],
	])('the path /ai/%s has status %d, and the response says that it is emulated', async (to, is) => {
		const { status, headers } = await stage.json(to, { text: 'Good' });
		expect([status, headers['x-emulated']]).toEqual([is, 'voice-speech emulator']);
	});
});

describe('wallets and usage', () => {
	test('the prefix decides the wallet and the environment; a call is in Usage at once', async () => {
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
});

describe('limits', () => {
	test('calls above the rate limit are refused with Retry-After', async () => {
		const limit = async () => {
			const { status, headers } = await judge();
			return [status, headers['retry-after']];
		};
		await stage.withSettings({ rateLimitPerSecond: 2, retryAfterSeconds: 3 }, async () => {
			const [before] = await stage.balances();
			expect([(await judge()).status, (await judge()).status]).toEqual([200, 200]);
			expect(await limit()).toEqual([429, '3']);
			expect((await stage.balances())[0]).toBe(before - 2);
			// Each key has its own limit.
			expect((await judge(await stage.emulator.createKey('sandbox'))).status).toBe(200);
			await delay(1050);
			expect((await judge()).status).toBe(200);

			await stage.set({ retryAfter: 'date', rateLimitPerSecond: 1 });
			const date = String((await limit())[1]);
			const wait = Date.parse(date) - Date.now();
			expect(wait).toBeGreaterThan(1900);
			expect(wait).toBeLessThanOrEqual(4000);

			await stage.set({ retryAfter: 'none' });
			expect(await limit()).toEqual([429, undefined]);
		});
	});
});
