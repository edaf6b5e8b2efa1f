import { createConsoleApi } from '../../../dev/emulator/emulatorProcess.mts';
import { operationHandlers } from '../../../dev/emulator/service/index.mts';
import type { CreatedKey } from '../../../dev/emulator/keys.mts';
import { startEmulator } from '../../../dev/emulator/server.mts';
import type { Settings } from '../../../dev/emulator/settings.mts';
import { callOperation, send, useEmulator } from '../../support/emulatorClient.mts';
import { readRepositoryFile } from '../../support/repository.mts';

const { credits } = operationHandlers.sentiment;
const client = useEmulator();
const callSentiment = async (key?: string) => await client.call('sentiment', { text: 'Good' }, key);

const createKey = async (others: object = {}) =>
	await client.callApi<CreatedKey>('POST', '/keys', {
		environment: 'sandbox',
		scopes: ['sentiment'],
		...others,
	});

it("the emulator's README lists every setting with its default", async () => {
	// "npm run docs" writes the costs.
	const { creditCosts: _, ...settings } = await client.callApi<Settings>('GET', '/settings');
	const readme = readRepositoryFile('dev/emulator/README.md');
	for (const [name, value] of Object.entries(settings)) {
		const isDefault = `\`?${value === '' ? 'empty' : String(value)}\`?`;
		expect(readme).toMatch(new RegExp(`^- \`${name}\` \\(default: ${isDefault}\\):`, 'm'));
	}
});

it.each([
	{ when: 'works until the delay is over', revocationDelayMs: 600_000, status: 200, credits: 1 },
	{ when: 'is refused after the delay', revocationDelayMs: 0, status: 401, credits: 0 },
])('a revoked key $when, and its call is in Usage', async (row) => {
	const { revocationDelayMs, status, credits } = row;
	await client.runWithSettings({ revocationDelayMs }, async () => {
		const { id, key, prefix } = await createKey();
		await client.callApi('DELETE', `/keys/${id}`);
		expect((await callSentiment(key)).status).toBe(status);
		const record = { keyPrefix: prefix, status, credits, operation: 'sentiment' };
		expect(await client.readLastCall()).toMatchObject(record);
	});
});

it.each<[what: string, status: number, operation: string, body?: object, keyOptions?: object]>([
	['without credits', 402, 'sentiment', { text: 'Good' }, { environment: 'live' }],
	['of a key of another product', 403, 'sentiment', { text: 'Good' }, { product: 'other' }],
	['to an unknown path', 404, 'x', {}],
	['with an unknown voice', 404, 'text-to-speech', { text: 'Hi', voice_id: 'x' }],
	['with GET', 405, 'amd'],
	['with a long text', 413, 'amd', { text: 'Hello' }],
])(
	'a call %s has status %i, and costs nothing',
	async (_what, status, operation, ...[body, keyOptions]) => {
		const usedKey = keyOptions ? (await createKey(keyOptions)).key : client.key;
		await client.callApi('PUT', '/wallets/live', { balance: 0 });
		await client.runWithSettings({ maxTextCharacters: 4 }, async () => {
			const get = { method: 'GET', headers: { 'X-API-Key': usedKey } };
			const response = body
				? await client.call(operation, body, usedKey)
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
	expect(await client.readBalances()).toEqual({ ...before, sandbox: before.sandbox - credits });
	expect(await client.readLastCall()).toEqual({
		id: expect.any(Number),
		at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
		method: 'POST',
		operation: 'sentiment',
		path: '/ai/sentiment',
		environment: 'sandbox',
		testData: true,
		credits,
		status: 200,
		keyPrefix: `${client.key.slice(0, 13)}…`,
		bytesIn: '{"text":"Good"}'.length,
	});
	await client.runWithSettings({ creditCosts: { sentiment: 7 } }, async () => {
		expect((await callSentiment(live)).json).toEqual(one.json);
	});
	expect(await client.readBalances()).toEqual({
		sandbox: before.sandbox - credits,
		live: before.live - 7,
	});
	const liveCall = { environment: 'live', testData: false, credits: 7 };
	expect(await client.readLastCall()).toMatchObject(liveCall);
});

it('calls above the rate limit of a key are refused with Retry-After', async () => {
	const now = jest.spyOn(performance, 'now').mockReturnValue(0);
	// An emulator in this process, because the test stops its clock.
	const { baseUrl, close } = await startEmulator(0, '127.0.0.1');
	try {
		const callApi = createConsoleApi(`${baseUrl}/console`);
		await callApi('PUT', '/settings', { rateLimitPerSecond: 2, retryAfterSeconds: 3 });
		const newKey = { environment: 'sandbox', scopes: ['sentiment'] };
		const { key } = await callApi<CreatedKey>('POST', '/keys', newKey);
		const { key: other } = await callApi<CreatedKey>('POST', '/keys', newKey);
		const call = async (usedKey: string) =>
			await callOperation({ baseUrl }, usedKey, 'sentiment', { text: 'Good' });
		expect([(await call(key)).status, (await call(key)).status]).toEqual([200, 200]);
		now.mockReturnValue(999);
		expect(await call(key)).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
		expect((await call(other)).status).toBe(200);
		now.mockReturnValue(1_000);
		expect((await call(key)).status).toBe(200);
	} finally {
		await close();
		now.mockRestore();
	}
});
