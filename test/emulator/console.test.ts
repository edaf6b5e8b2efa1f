/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { once } from 'node:events';
import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { startEmulator, type RunningEmulator } from '../support/emulator';
import { send, sendJson } from './client';

let emulator: RunningEmulator;
let key: string;
beforeAll(async () => {
	emulator = await startEmulator(['--credits-sandbox', '50', '--credits-live', '60']);
	key = await emulator.createKey('sandbox');
});
afterAll(async () => await emulator.stop());

const json = { 'Content-Type': 'application/json' };
const api = async (
	method: string,
	path: string,
	body?: unknown,
	headers: OutgoingHttpHeaders = {},
) =>
	await send(`${emulator.consoleUrl}/api${path}`, {
		method,
		headers: { ...(body === undefined ? {} : json), ...headers },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});

describe('keys', () => {
	test('a new key is shown once, and only masked after that', async () => {
		const wanted = { environment: 'live', scopes: ['amd', 'intent'], name: 'Ärger "1"' };
		const { status, json: created } = await api('POST', '/keys', wanted);
		expect(status).toBe(201);
		const { key: value, ...rest } = created;
		expect(rest).toEqual({
			id: expect.any(String),
			name: 'Ärger "1"',
			prefix: `${value.slice(0, 13)}…`,
			environment: 'live',
			scopes: ['amd', 'intent'],
			product: 'voice-and-speech',
			createdAt: expect.stringMatching(/^\d{4}-/),
			revokedAt: null,
		});
		const list = await api('GET', '/keys');
		expect(list.json.keys).toContainEqual(rest);
		expect(list.text).not.toContain(value);
		expect(list.text).not.toContain(key);
	});

	test('revoking answers the key, and does not wait', async () => {
		const { json: created } = await api('POST', '/keys', { environment: 'sandbox', scopes: [] });
		const { status, json: revoked } = await api('DELETE', `/keys/${created.id}`);
		expect([status, revoked.id]).toEqual([200, created.id]);
		expect(revoked.revokedAt).toMatch(/^\d{4}-/);
		const again = await api('DELETE', `/keys/${created.id}`);
		expect(again.json.revokedAt).toBe(revoked.revokedAt);
		expect((await api('DELETE', '/keys/nothing')).status).toBe(404);
	});

	test.each([
		[{ environment: 'test', scopes: [] }],
		[{ environment: 'sandbox' }],
		[{ environment: 'sandbox', scopes: ['everything'] }],
		[{ environment: 'sandbox', scopes: [], name: 5 }],
		[{ environment: 'sandbox', scopes: [], product: 'x'.repeat(101) }],
		[[]],
	])('%j is no key', async (wanted) => {
		const { status, json: answer } = await api('POST', '/keys', wanted);
		expect([status, typeof answer.error]).toEqual([400, 'string']);
	});
});

describe('wallets and usage', () => {
	test('begin with the credits of the command line, and can be set', async () => {
		const wallets = await api('GET', '/wallets');
		expect(wallets.json).toEqual({ sandbox: { balance: 50 }, live: { balance: 60 } });
		const changed = await api('PUT', '/wallets/live', { balance: 70 });
		expect(changed.json).toEqual({ sandbox: { balance: 50 }, live: { balance: 70 } });
		expect((await api('PUT', '/wallets/live', { balance: -1 })).status).toBe(400);
		expect((await api('PUT', '/wallets/live', { balance: 1.5 })).status).toBe(400);
		expect((await api('PUT', '/wallets/savings', { balance: 1 })).status).toBe(400);
	});

	test('usage is read from any call on', async () => {
		for (const text of ['one', 'two', 'three']) {
			await sendJson(emulator, key, 'amd', { text });
		}
		const { calls } = (await api('GET', '/usage')).json;
		const ids = calls.map(({ id }: { id: number }) => id);
		expect(ids).toEqual([...ids].sort((one, other) => one - other));
		const later = (await api('GET', `/usage?after=${ids.at(-2)}`)).json.calls;
		expect(later).toEqual([calls.at(-1)]);
		expect((await api('GET', '/usage?after=x')).status).toBe(400);
	});
});

test('every change is told to open pages', async () => {
	const request = http.get(`${emulator.consoleUrl}/api/events`, { agent: false });
	const [stream] = (await once(request, 'response')) as [IncomingMessage];
	expect(stream.headers['content-type']).toBe('text/event-stream');
	let told = '';
	stream.setEncoding('utf8').on('data', (chunk: string) => (told += chunk));
	const start = Date.now();
	await sendJson(emulator, key, 'amd', { text: 'Hello' });
	await emulator.createKey('live');
	await api('PUT', '/wallets/sandbox', { balance: 500 });
	await api('PUT', '/settings', { latencyMs: 1 });
	while (!told.includes('"latencyMs":1,')) await once(stream, 'data');
	expect(Date.now() - start).toBeLessThan(2000);
	const names = [...told.matchAll(/^event: (\w+)\ndata: (\{.*\})\n$/gm)];
	expect(names.map(([, name]) => name)).toEqual([
		'usage',
		'wallets',
		'keys',
		'wallets',
		'settings',
	]);
	expect(JSON.parse(names[0]?.[2] ?? '')).toMatchObject({ operation: 'amd', testData: true });
	expect(told).not.toContain(key);
	request.destroy();
	await api('PUT', '/settings', { latencyMs: 0 });
});

describe('other sites', () => {
	const host = () => new URL(emulator.baseUrl).host;
	test.each([
		['a foreign origin', () => ({ Origin: 'https://evil.example' })],
		['no origin at all', () => ({ Origin: 'null' })],
		['another port', () => ({ Origin: 'http://127.0.0.1:1' })],
		['https', () => ({ Origin: `https://${host()}` })],
		['a name made to point here', () => ({ Host: 'evil.example:8787' })],
		[
			'that name as the origin too',
			() => ({ Host: 'evil.example', Origin: 'http://evil.example' }),
		],
		['a cross-site request', () => ({ 'Sec-Fetch-Site': 'cross-site' })],
	])('%s is refused', async (_what, headers) => {
		const body = { environment: 'sandbox', scopes: [] };
		expect((await api('POST', '/keys', body, headers())).status).toBe(403);
		expect((await api('GET', '/keys', undefined, headers())).status).toBe(403);
		expect((await api('GET', '/events', undefined, headers())).status).toBe(403);
	});

	test.each([
		['its own origin', () => ({ Origin: `http://${host()}`, 'Sec-Fetch-Site': 'same-origin' })],
		['localhost', () => ({ Host: 'localhost:9', Origin: 'http://localhost:9' })],
		['a container’s name', () => ({ Host: 'emulator:8787' })],
		['IPv6', () => ({ Host: '[::1]:8787', Origin: 'http://[::1]:8787' })],
	])('%s is answered', async (_what, headers) => {
		expect((await api('GET', '/keys', undefined, headers())).status).toBe(200);
	});

	test('a form of another site has no type that is read', async () => {
		const answer = await send(`${emulator.consoleUrl}/api/keys`, {
			headers: { 'Content-Type': 'text/plain' },
			body: '{"environment":"sandbox","scopes":[]}',
		});
		expect(answer.status).toBeGreaterThanOrEqual(400);
	});
});

describe('the page', () => {
	test('takes nothing from elsewhere and is framed by nobody', async () => {
		const page = await send(emulator.consoleUrl, { method: 'GET' });
		expect(page.status).toBe(200);
		const policy = String(page.headers['content-security-policy']);
		expect(policy).toContain("default-src 'none'");
		expect(policy).toContain("frame-ancestors 'none'");
		expect(policy).not.toContain('unsafe');
		const sources = [...page.text.matchAll(/\b(?:src|href)="(?!#)([^"]+)"/g)].map(([, to]) => to);
		expect(sources.length).toBeGreaterThan(4);
		for (const source of sources) {
			expect(source).toMatch(/^\/console\//);
			const file = await send(`${emulator.baseUrl}${source}`, { method: 'GET' });
			expect([source, file.status]).toEqual([source, 200]);
			expect(file.text).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
		}
	});

	test('is where the root leads', async () => {
		const answer = await send(`${emulator.baseUrl}/`, { method: 'GET' });
		expect([answer.status, answer.headers.location]).toEqual([302, '/console']);
	});
});
