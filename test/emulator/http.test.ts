import { readFileSync } from 'node:fs';
import path from 'node:path';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import type { CreatedKey } from '../../dev/emulator/keys.mts';
import type { Settings } from '../../dev/emulator/settings.mts';
import { send, useEmulator } from '../support/emulatorClient';

const client = useEmulator();
const callSentiment = async (key?: string) =>
	await client.callWithJson('sentiment', { text: 'Good' }, key);

const createKey = async (others: object = {}) =>
	await client.callApi<CreatedKey>('POST', '/keys', {
		environment: 'sandbox',
		scopes: ['sentiment'],
		...others,
	});

it("the emulator's README lists every setting with its default", async () => {
	const { creditCosts, ...settings } = await client.callApi<Settings>('GET', '/settings');
	const file = path.resolve(__dirname, '../../dev/emulator/README.md');
	const readme = readFileSync(file, 'utf8').replace(/ +/g, ' ');
	for (const [name, value] of Object.entries(settings)) {
		const isDefault = `\`?${value === '' ? 'empty' : String(value)}\`?`;
		expect(readme).toMatch(new RegExp(`^\\| \`${name}\` \\| ${isDefault} \\|`, 'm'));
	}
	for (const [operation, credits] of Object.entries(creditCosts)) {
		expect(readme).toContain(`| ${operation} | ${String(credits)} |`);
	}
});

it('a revoked key works until the delay is over, and then its calls are in Usage', async () => {
	await client.runWithSettings({ revocationDelayMs: 1000 }, async () => {
		const { id, key, prefix } = await createKey();
		await client.callApi('DELETE', `/keys/${id}`);
		expect((await callSentiment(key)).status).toBe(200);
		const isRevoked = async () => (await callSentiment(key)).status === 401;
		await waitUntil(isRevoked, { intervalMs: 50 });
		const record = { keyPrefix: prefix, status: 401, credits: 0, operation: 'sentiment' };
		expect(await client.readLastCall()).toMatchObject(record);
	});
});

it.each<{ what: string; status: number; operation: string; body?: object; key?: object }>([
	{
		what: 'without credits',
		status: 402,
		operation: 'sentiment',
		body: { text: 'Good' },
		key: { environment: 'live' },
	},
	{
		what: 'of a key of another product',
		status: 403,
		operation: 'sentiment',
		body: { text: 'Good' },
		key: { product: 'other' },
	},
	{ what: 'to an unknown path', status: 404, operation: 'x', body: {} },
	{
		what: 'with an unknown voice',
		status: 404,
		operation: 'text-to-speech',
		body: { text: 'Hi', voice_id: 'x' },
	},
	{ what: 'with GET', status: 405, operation: 'amd' },
	{ what: 'with a long text', status: 413, operation: 'amd', body: { text: 'Hello' } },
])(
	'a call $what has status $status, and costs nothing',
	async ({ status, operation, body, key }) => {
		const usedKey = key ? (await createKey(key)).key : client.key;
		await client.callApi('PUT', '/wallets/live', { balance: 0 });
		await client.runWithSettings({ maxTextCharacters: 4 }, async () => {
			const get = { method: 'GET', headers: { 'X-API-Key': usedKey } };
			const response = body
				? await client.callWithJson(operation, body, usedKey)
				: await send(`${client.emulator.baseUrl}/ai/${operation}`, get);
			expect(response).toMatchObject({
				status,
				json: { error: { message: expect.stringMatching(/\.$/) } },
				headers: { 'x-emulated': 'voice-speech emulator' },
			});
			const method = body ? 'POST' : 'GET';
			expect(await client.readLastCall()).toMatchObject({ method, status, credits: 0 });
		});
	},
);

it('the prefix of a key decides the wallet and the environment, and a call is in Usage at once', async () => {
	await client.callApi('PUT', '/wallets/live', { balance: 100 });
	const live = await client.emulator.createKey('live');
	const before = await client.readBalances();
	const one = await callSentiment();
	expect(await client.readBalances()).toEqual({ ...before, sandbox: before.sandbox - 1 });
	expect(await client.readLastCall()).toEqual({
		id: expect.any(Number),
		at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
		method: 'POST',
		operation: 'sentiment',
		path: '/ai/sentiment',
		environment: 'sandbox',
		testData: true,
		credits: 1,
		status: 200,
		keyPrefix: `${client.key.slice(0, 13)}…`,
		bytesIn: '{"text":"Good"}'.length,
	});
	await client.runWithSettings({ creditCosts: { sentiment: 7 } }, async () => {
		expect((await callSentiment(live)).json).toEqual(one.json);
	});
	expect(await client.readBalances()).toEqual({
		sandbox: before.sandbox - 1,
		live: before.live - 7,
	});
	const liveCall = { environment: 'live', testData: false, credits: 7 };
	expect(await client.readLastCall()).toMatchObject(liveCall);
});

it('calls above the rate limit of a key are refused with Retry-After', async () => {
	await client.runWithSettings({ rateLimitPerSecond: 2, retryAfterSeconds: 3 }, async () => {
		const before = await client.readBalances();
		expect([(await callSentiment()).status, (await callSentiment()).status]).toEqual([200, 200]);
		expect(await callSentiment()).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
		expect((await client.readBalances()).sandbox).toBe(before.sandbox - 2);
		expect((await callSentiment(await client.emulator.createKey('sandbox'))).status).toBe(200);
		const isAccepted = async () => (await callSentiment()).status === 200;
		await waitUntil(isAccepted, { intervalMs: 50 });
	});
});
