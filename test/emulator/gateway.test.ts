/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { setTimeout as delay } from 'node:timers/promises';
import { ALL_SCOPES, startEmulator, type RunningEmulator } from '../support/emulator';
import { fileParts, send, sendForm, sendJson } from './client';
import { wav } from './recordings';

let emulator: RunningEmulator;
let key: string;

beforeAll(async () => {
	emulator = await startEmulator();
	key = await emulator.createKey('sandbox');
});
afterAll(async () => await emulator.stop());

const url = (operation: string) => `${emulator.baseUrl}/ai/${operation}`;
const balances = async () => {
	const wallets = await emulator.api('GET', '/wallets');
	return [wallets.sandbox.balance, wallets.live.balance] as [number, number];
};
const lastCall = async () => (await emulator.api('GET', '/usage')).calls.at(-1);

/** Runs with some settings changed, and changes them back. */
async function withSettings(changes: object, run: () => Promise<void>): Promise<void> {
	const before = await emulator.api('GET', '/settings');
	await emulator.api('PUT', '/settings', changes);
	try {
		await run();
	} finally {
		await emulator.api('PUT', '/settings', before);
	}
}

describe('keys', () => {
	test('a missing, empty or unknown key is refused', async () => {
		for (const headers of [
			{},
			{ 'X-API-Key': '' },
			{ 'X-API-Key': `eak_test_${'a'.repeat(32)}` },
			{ Authorization: `Bearer ${key}` },
		]) {
			const answer = await send(url('sentiment'), { headers });
			expect(answer.status).toBe(401);
			expect(answer.json.error.code).toBe('invalid_api_key');
		}
	});

	test('a key has its prefix and 32 random letters and digits', async () => {
		const live = await emulator.createKey('live');
		expect(key).toMatch(/^eak_test_[A-Za-z0-9]{32}$/);
		expect(live).toMatch(/^eak_live_[A-Za-z0-9]{32}$/);
		expect(await emulator.createKey('live')).not.toBe(live);
	});

	test.each(ALL_SCOPES)('the scope %s grants its operation and no other', async (scope) => {
		const narrow = await emulator.createKey('sandbox', [scope]);
		for (const operation of ALL_SCOPES) {
			const { status } = await sendJson(emulator, narrow, operation, {});
			// An empty body is refused later: for its field, or for not being multipart.
			expect([operation, status === 403]).toEqual([operation, operation !== scope]);
		}
	});

	test('the answer names the scope that is missing', async () => {
		const none = await emulator.createKey('sandbox', []);
		const answer = await sendJson(emulator, none, 'amd', { text: 'Hello' });
		expect(answer.status).toBe(403);
		expect(answer.json.error.message).toContain('"amd"');
	});

	test('cloning needs no scope unless the settings name one', async () => {
		const none = await emulator.createKey('sandbox', []);
		const parts = fileParts(wav(), { name: 'Anna' });
		expect((await sendForm(emulator, none, 'voice-clone', parts)).status).toBe(200);
		await withSettings({ voiceCloneScope: 'text-to-speech' }, async () => {
			expect((await sendForm(emulator, none, 'voice-clone', parts)).status).toBe(403);
			expect((await sendForm(emulator, key, 'voice-clone', parts)).status).toBe(200);
		});
	});

	test('a key of another product is refused', async () => {
		const { key: foreign } = await emulator.api('POST', '/keys', {
			environment: 'sandbox',
			scopes: ALL_SCOPES,
			product: 'telephony',
		});
		const answer = await sendJson(emulator, foreign, 'sentiment', { text: 'Good' });
		expect(answer.status).toBe(403);
		expect(answer.json.error.message).toContain('telephony');
	});

	test('a revoked key works until the delay is over, which is under three seconds', async () => {
		const { revocationDelayMs } = await emulator.api('GET', '/settings');
		expect(revocationDelayMs).toBe(1500);
		await withSettings({ revocationDelayMs: 1000 }, async () => {
			const created = await emulator.api('POST', '/keys', {
				environment: 'sandbox',
				scopes: ['sentiment'],
			});
			await emulator.api('DELETE', `/keys/${created.id}`);
			const soon = await sendJson(emulator, created.key, 'sentiment', { text: 'Good' });
			expect(soon.status).toBe(200);
			await delay(1050);
			const later = await sendJson(emulator, created.key, 'sentiment', { text: 'Good' });
			expect(later.status).toBe(401);
		});
	});
});

describe('methods and paths', () => {
	test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])(
		'%s is refused, with Allow',
		async (method) => {
			const answer = await send(url('speech-to-text'), { method, headers: { 'X-API-Key': key } });
			expect(answer.status).toBe(405);
			expect(answer.headers.allow).toBe('POST');
		},
	);

	test('the key is checked before the method, or the other way round', async () => {
		const get = async () => (await send(url('speech-to-text'), { method: 'GET' })).status;
		expect(await get()).toBe(401);
		await withSettings({ checkFirst: 'method' }, async () => expect(await get()).toBe(405));
	});

	test.each(['nothing', 'sentiment/', 'sentiment/more', ''])(
		'the path /ai/%s does not exist',
		async (path) => {
			const answer = await sendJson(emulator, key, path, { text: 'Good' });
			expect(answer.status).toBe(404);
		},
	);

	test('other addresses are not found either', async () => {
		expect((await send(`${emulator.baseUrl}/sentiment`)).status).toBe(404);
	});

	test('a query does no harm', async () => {
		expect((await sendJson(emulator, key, 'sentiment?a=b', { text: 'Good' })).status).toBe(200);
	});

	test('every answer says that it is emulated', async () => {
		expect((await send(url('amd'))).headers['x-emulated']).toBe('voice-speech emulator');
	});
});

describe('wallets and usage', () => {
	test('the prefix chooses the wallet, and nothing else', async () => {
		const live = await emulator.createKey('live');
		const [sandboxBefore, liveBefore] = await balances();
		const one = await sendJson(emulator, key, 'sentiment', { text: 'A good day' });
		expect(await balances()).toEqual([sandboxBefore - 1, liveBefore]);
		expect(await lastCall()).toMatchObject({ environment: 'sandbox', testData: true, credits: 1 });
		const other = await sendJson(emulator, live, 'sentiment', { text: 'A good day' });
		expect(await balances()).toEqual([sandboxBefore - 1, liveBefore - 1]);
		expect(await lastCall()).toMatchObject({ environment: 'live', testData: false, credits: 1 });
		expect(other.json).toEqual(one.json);
	});

	test('a call is in the usage dashboard at once, with what it was', async () => {
		const body = { text: 'A good day' };
		await sendJson(emulator, key, 'sentiment', body);
		expect(await lastCall()).toEqual({
			id: expect.any(Number),
			at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
			operation: 'sentiment',
			path: '/ai/sentiment',
			environment: 'sandbox',
			testData: true,
			credits: 1,
			status: 200,
			keyPrefix: `${key.slice(0, 13)}…`,
			bytesIn: JSON.stringify(body).length,
		});
	});

	test('costs can be set', async () => {
		const [before] = await balances();
		await withSettings({ creditCosts: { sentiment: 7 } }, async () => {
			await sendJson(emulator, key, 'sentiment', { text: 'Good' });
		});
		expect((await balances())[0]).toBe(before - 7);
	});

	test('a refused call costs nothing and is listed if its key is known', async () => {
		const before = await balances();
		const none = await emulator.createKey('sandbox', []);
		const noAudio = fileParts(Buffer.from('no audio at all'));
		for (const [refused, status] of [
			[async () => await sendJson(emulator, key, 'sentiment', {}), 400],
			[async () => await sendJson(emulator, none, 'sentiment', { text: 'Good' }), 403],
			[async () => await sendJson(emulator, key, 'nothing', {}), 404],
			[async () => await send(url('amd'), { method: 'GET', headers: { 'X-API-Key': key } }), 405],
			[async () => await sendForm(emulator, key, 'amd', noAudio), 415],
		] as const) {
			expect((await refused()).status).toBe(status);
			expect(await lastCall()).toMatchObject({ status, credits: 0 });
		}
		const { id } = await lastCall();
		await send(url('amd'));
		expect((await lastCall()).id).toBe(id);
		expect(await balances()).toEqual(before);
	});

	test('an empty wallet refuses with 402, and the other one still pays', async () => {
		const live = await emulator.createKey('live');
		const { live: liveWallet } = await emulator.api('GET', '/wallets');
		await emulator.api('PUT', '/wallets/live', { balance: 3 });
		const analyse = async (value: string) =>
			(await sendJson(emulator, value, 'post-call-analytics', { text: 'Good' })).status;
		expect(await analyse(live)).toBe(402);
		expect(await analyse(key)).toBe(200);
		expect((await balances())[1]).toBe(3);
		expect((await sendJson(emulator, live, 'sentiment', { text: 'Good' })).status).toBe(200);
		await emulator.api('PUT', '/wallets/live', liveWallet);
	});

	test('calls at the same time cannot overdraw a wallet', async () => {
		const { sandbox } = await emulator.api('GET', '/wallets');
		await emulator.api('PUT', '/wallets/sandbox', { balance: 5 });
		const answers = await Promise.all(
			Array.from({ length: 12 }, async () =>
				sendForm(emulator, key, 'speech-to-text', fileParts(wav())),
			),
		);
		const statuses = answers.map(({ status }) => status).sort();
		expect(statuses).toEqual([200, 200, ...Array.from({ length: 10 }, () => 402)]);
		expect((await balances())[0]).toBe(1);
		await emulator.api('PUT', '/wallets/sandbox', sandbox);
	});
});

describe('limits', () => {
	const call = async () => await sendJson(emulator, key, 'sentiment', { text: 'Good' });

	test('more calls a second than the limit are refused with Retry-After', async () => {
		await withSettings({ rateLimitPerSecond: 2, retryAfterSeconds: 3 }, async () => {
			const [before] = await balances();
			expect([(await call()).status, (await call()).status]).toEqual([200, 200]);
			const refused = await call();
			expect(refused.status).toBe(429);
			expect(refused.headers['retry-after']).toBe('3');
			expect((await balances())[0]).toBe(before - 2);
			// Each key has a limit of its own.
			const other = await emulator.createKey('sandbox');
			expect((await sendJson(emulator, other, 'sentiment', { text: 'Good' })).status).toBe(200);
			await delay(1050);
			expect((await call()).status).toBe(200);

			await emulator.api('PUT', '/settings', { retryAfter: 'date', rateLimitPerSecond: 1 });
			const date = String((await call()).headers['retry-after']);
			const wait = Date.parse(date) - Date.now();
			expect(date).toMatch(/GMT$/);
			expect(wait).toBeGreaterThan(1900);
			expect(wait).toBeLessThanOrEqual(4000);

			await emulator.api('PUT', '/settings', { retryAfter: 'none' });
			const plain = await call();
			expect([plain.status, plain.headers['retry-after']]).toEqual([429, undefined]);
		});
	});

	test('answers can be delayed', async () => {
		await withSettings({ latencyMs: 800 }, async () => {
			const { id } = await lastCall();
			const start = Date.now();
			let answered = false;
			const pending = call().then(() => (answered = true));
			// The debit does not wait for the answer.
			while ((await lastCall()).id === id) await delay(5);
			expect(answered).toBe(false);
			await pending;
			expect(Date.now() - start).toBeGreaterThanOrEqual(795);
		});
	});

	test('files and texts can be limited', async () => {
		const small = wav({ seconds: 0.1 });
		const transcribe = async (file: Buffer) =>
			(await sendForm(emulator, key, 'speech-to-text', fileParts(file))).status;
		await withSettings({ maxFileBytes: small.length, maxTextCharacters: 4 }, async () => {
			const [before] = await balances();
			expect(await transcribe(wav({ seconds: 60, rate: 44_100 }))).toBe(413);
			expect((await balances())[0]).toBe(before);
			expect(await transcribe(small)).toBe(200);
			expect((await sendJson(emulator, key, 'amd', { text: '😀😀😀😀' })).status).toBe(200);
			expect((await sendJson(emulator, key, 'amd', { text: 'Hello' })).status).toBe(413);
		});
		expect((await sendJson(emulator, key, 'amd', { text: 'a'.repeat(17e6) })).status).toBe(413);
	});
});
