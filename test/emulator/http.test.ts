/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { setTimeout as delay } from 'node:timers/promises';
import { fileParts, send, Stage } from './client';
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

	test('cloning needs no scope unless a setting names one', async () => {
		const none = await stage.emulator.createKey('sandbox', []);
		const clone = async (key?: string) =>
			(await stage.form('voice-clone', fileParts(wav(), { name: 'Anna' }), key)).status;
		expect(await clone(none)).toBe(200);
		await stage.withSettings({ voiceCloneScope: 'text-to-speech' }, async () => {
			expect([await clone(none), await clone()]).toEqual([403, 200]);
		});
		await stage.withSettings({ voiceCloneScope: 'cloning' }, async () => {
			const ninth = await stage.emulator.createKey('sandbox', ['cloning']);
			expect([await clone(), await clone(ninth)]).toEqual([403, 200]);
		});
	});

	test('a revoked key works until the delay is over, and then its calls are in Usage', async () => {
		const { revocationDelayMs } = await stage.api('GET', '/settings');
		expect(revocationDelayMs).toBe(1500);
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
	test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])(
		'%s is refused, with Allow',
		async (method) => {
			const request = { method, headers: { 'X-API-Key': stage.key } };
			const { status, headers } = await send(url('speech-to-text'), request);
			expect([status, headers.allow]).toEqual([405, 'POST']);
		},
	);

	test('the key is checked before the method, or after it', async () => {
		const get = async () => (await send(url('speech-to-text'), { method: 'GET' })).status;
		expect(await get()).toBe(401);
		await stage.withSettings({ checkFirst: 'method' }, async () => expect(await get()).toBe(405));
	});

	test.each([
		['nothing', 404],
		['sentiment/', 404],
		['sentiment/more', 404],
		['', 404],
		['../sentiment', 404],
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

	test('a wallet without enough credits refuses, and the other one still pays', async () => {
		const live = await stage.emulator.createKey('live');
		await stage.api('PUT', '/wallets/live', { balance: 3 });
		const analyze = async (key?: string) =>
			(await stage.json('post-call-analytics', { text: 'Good' }, key)).status;
		expect([await analyze(live), await analyze()]).toEqual([402, 200]);
		expect((await stage.balances())[1]).toBe(3);
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
			expect(date).toMatch(/GMT$/);
			expect(wait).toBeGreaterThan(1900);
			expect(wait).toBeLessThanOrEqual(4000);

			await stage.set({ retryAfter: 'none' });
			expect(await limit()).toEqual([429, undefined]);
		});
	});

	test('responses can be delayed', async () => {
		await stage.withSettings({ latencyMs: 800 }, async () => {
			const { id } = await stage.lastCall();
			const start = Date.now();
			let arrived = false;
			const pending = judge().then(() => (arrived = true));
			// The debit does not wait for the response.
			while ((await stage.lastCall()).id === id) await delay(5);
			expect(arrived).toBe(false);
			await pending;
			expect(Date.now() - start).toBeGreaterThanOrEqual(795);
		});
	});

	test('files and texts can be limited', async () => {
		const small = wav(0.1);
		const detect = async (text: string) => (await stage.json('amd', { text })).status;
		await stage.withSettings({ maxFileBytes: small.length, maxTextCharacters: 4 }, async () => {
			const [before] = await stage.balances();
			expect((await stage.transcribe(wav(60, 44_100))).status).toBe(413);
			expect((await stage.balances())[0]).toBe(before);
			expect((await stage.transcribe(small)).status).toBe(200);
			expect([await detect('😀😀😀😀'), await detect('Hello')]).toEqual([200, 413]);
		});
		expect(await detect('a'.repeat(17e6))).toBe(413);
	});
});
