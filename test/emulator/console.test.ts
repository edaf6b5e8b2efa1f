/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { once } from 'node:events';
import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { ALL_SCOPES } from '../support/emulator';
import { fileParts, send, Stage } from './client';
import { wav } from '../support/recordings';

const stage = new Stage(['--credits-sandbox', '50', '--credits-live', '60']);

const api = async (
	method: string,
	path: string,
	body?: unknown,
	headers: OutgoingHttpHeaders = {},
) => {
	const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
	return await send(`${stage.emulator.consoleUrl}/api${path}`, {
		method,
		headers: { ...type, ...headers },
		body: JSON.stringify(body),
	});
};

describe('keys', () => {
	test('a new key is shown once, and only masked after that', async () => {
		const wanted = { environment: 'live', scopes: ['amd', 'intent'], name: 'Ärger "1"' };
		const { status, json: created } = await api('POST', '/keys', wanted);
		expect(status).toBe(201);
		const { key: value, ...rest } = created;
		expect(value).toMatch(/^eak_live_[A-Za-z0-9]{32}$/);
		expect(rest).toEqual({
			...wanted,
			id: expect.any(String),
			prefix: `${value.slice(0, 13)}…`,
			product: 'voice-and-speech',
			createdAt: expect.stringMatching(/^\d{4}-/),
			revokedAt: null,
		});
		const list = await api('GET', '/keys');
		expect(list.json.keys).toContainEqual(rest);
		expect(list.text).not.toContain(value);
		expect(list.text).not.toContain(stage.key);
	});

	test('the documented scopes are the scopes, and a setting can name a ninth', async () => {
		const ninth = { environment: 'sandbox', scopes: ['voice-clone'] };
		const scopes = async () => (await api('GET', '/options')).json.scopes;
		expect(await scopes()).toEqual(ALL_SCOPES);
		expect((await api('POST', '/keys', ninth)).status).toBe(400);
		await stage.withSettings({ voiceCloneScope: 'voice-clone' }, async () => {
			expect(await scopes()).toEqual([...ALL_SCOPES, 'voice-clone']);
			const { json: cloning } = await api('POST', '/keys', ninth);
			// Without a name, so that nothing is debited.
			const clone = async (key: string) =>
				(await stage.form('voice-clone', fileParts(wav()), key)).status;
			expect([await clone(stage.key), await clone(cloning.key)]).toEqual([403, 400]);
		});
	});
});

describe('wallets and usage', () => {
	test('start with the credits of the command line, and can be set', async () => {
		const wallets = await api('GET', '/wallets');
		expect(wallets.json).toEqual({ sandbox: { balance: 50 }, live: { balance: 60 } });
		const changed = await api('PUT', '/wallets/live', { balance: 0 });
		expect(changed.json).toEqual({ sandbox: { balance: 50 }, live: { balance: 0 } });
		expect((await api('PUT', '/wallets/live', { balance: -1 })).status).toBe(400);
		expect((await api('PUT', '/wallets/savings', { balance: 1 })).status).toBe(400);
	});
});

test('every change is sent to open pages', async () => {
	const request = http.get(`${stage.emulator.consoleUrl}/api/events`, { agent: false });
	const [stream] = (await once(request, 'response')) as [IncomingMessage];
	expect(stream.headers['content-type']).toBe('text/event-stream');
	let received = '';
	stream.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
	await stage.json('amd', { text: 'Hello' });
	await stage.emulator.createKey('live');
	await api('PUT', '/wallets/sandbox', { balance: 500 });
	await api('PUT', '/settings', { latencyMs: 1 });
	while (!received.includes('"latencyMs":1,')) await once(stream, 'data');
	const events = [...received.matchAll(/^event: (\w+)\ndata: (\{.*\})\n$/gm)];
	const names = events.map(([, name]) => name);
	expect(names).toEqual(['usage', 'wallets', 'keys', 'wallets', 'settings']);
	expect(JSON.parse(events[0]?.[2] ?? '')).toMatchObject({ operation: 'amd', testData: true });
	expect(received).not.toContain(stage.key);
	request.destroy();
	await api('PUT', '/settings', { latencyMs: 0 });
});

describe('other websites', () => {
	const host = () => new URL(stage.emulator.baseUrl).host;
	test.each([
		['another origin', () => ({ Origin: 'https://evil.example' })],
		['another port', () => ({ Origin: 'http://127.0.0.1:1' })],
		['a public name that resolves to here', () => ({ Host: 'evil.example:8787' })],
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
	])('%s is allowed', async (_what, headers) => {
		expect((await api('GET', '/keys', undefined, headers())).status).toBe(200);
	});
});

test('the page has its files, loads nothing from elsewhere, and cannot be framed', async () => {
	const page = await send(stage.emulator.consoleUrl, { method: 'GET' });
	const policy = String(page.headers['content-security-policy']);
	expect(policy).toContain("default-src 'none'");
	expect(policy).toContain("frame-ancestors 'none'");
	expect(policy).not.toContain('unsafe');
	for (const [, source] of page.text.matchAll(/\b(?:src|href)="(?!#)([^"]+)"/g)) {
		const file = await send(`${stage.emulator.baseUrl}${source}`, { method: 'GET' });
		expect([source, file.status]).toEqual([source, 200]);
	}
});
