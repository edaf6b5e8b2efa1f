import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { documentedScopes } from '../../support/serviceInterface.mts';
import type { CreatedKey } from '../../../dev/emulator/keys.mts';
import { waitUntil } from '../../../dev/lib/waitUntil.mts';
import { createFileParts, send, useEmulator } from '../../support/emulatorClient.mts';
import { createWav } from '../../support/media/recordings.mts';

const programs = mkdtempSync(path.join(tmpdir(), 'emulator-console-'));
afterAll(() => rmSync(programs, { recursive: true }));
const client = useEmulator({}, { PATH: `${programs}:${process.env.PATH}` });
afterEach(() => jest.restoreAllMocks());

it('the emulator has the documented scopes, and a setting can name another', async () => {
	const withOther = { environment: 'sandbox', scopes: ['voice-clone'] };
	await client.callApi('POST', '/keys', { environment: 'sandbox', scopes: documentedScopes });
	await expect(client.callApi('POST', '/keys', withOther)).rejects.toThrow(
		`400 {"error":"Unknown scope \\"voice-clone\\". Scopes: ${documentedScopes.join(', ')}."}`,
	);
	await client.runWithSettings({ voiceCloneScope: 'voice-clone' }, async () => {
		const cloning = await client.callApi<CreatedKey>('POST', '/keys', withOther);
		// Without a name, so that nothing is debited.
		const clone = async (key: string) =>
			(await client.callWithForm('voice-clone', createFileParts(createWav()), key)).status;
		expect([await clone(client.key), await clone(cloning.key)]).toEqual([403, 400]);
	});
});

it('the events have the headers of all responses', async () => {
	const aborted = new AbortController();
	const { signal } = aborted;
	const { headers } = await fetch(`${client.emulator.consoleUrl}/api/events`, { signal });
	aborted.abort();
	expect(headers.get('x-emulated')).toBe('voice-speech emulator');
	expect(headers.get('cache-control')).toBe('no-store');
	expect(headers.get('content-type')).toBe('text/event-stream');
});

it('the console shows the balance after a refund', async () => {
	const end = path.join(programs, 'end');
	const program = `#!/bin/sh\nuntil [ -e '${end}' ]; do sleep 0.05; done\nexit 1\n`;
	writeFileSync(path.join(programs, 'espeak-ng'), program, { mode: 0o755 });
	jest.spyOn(process.stderr, 'write').mockReturnValue(true);
	const settings = { ttsEngine: 'espeak', unknownVoice: 'accept' };
	await client.runWithSettings(settings, async () => {
		const { body } = await fetch(`${client.emulator.consoleUrl}/api/events`);
		const before = await client.readBalances();
		const call = client.callWithJson('text-to-speech', { text: 'Hi', voice_id: 'x' });
		const isDebited = async () => (await client.readBalances()).sandbox < before.sandbox;
		await waitUntil(isDebited, { intervalMs: 10 });
		// The console receives both balances.
		await client.callApi('PUT', '/wallets/live', { balance: before.live });
		writeFileSync(end, '');
		expect((await call).status).toBe(500);
		let events = '';
		const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
		while (!events.includes('event: call\n')) {
			const { done, value } = await reader.read();
			expect(done).toBe(false);
			events += value;
		}
		await reader.cancel();
		const shown = [...events.matchAll(/event: wallets\ndata: (.*)\n/g)].at(-1)?.[1];
		expect(JSON.parse(shown!)).toMatchObject({ sandbox: { balance: before.sandbox } });
	});
});

it('a scope that cannot be one is refused in words', async () => {
	await expect(client.changeSettings({ voiceCloneScope: 'Not a scope' })).rejects.toThrow(
		'"voiceCloneScope\\" may have up to 50 characters: a to z, 0 to 9 and hyphens.',
	);
});

it.each<{ what: string; headersFor: (host: string) => OutgoingHttpHeaders; status: number }>([
	{ what: 'another origin', headersFor: () => ({ Origin: 'https://evil.example' }), status: 403 },
	{
		what: 'a public name that resolves to here',
		headersFor: () => ({ Host: 'evil.example:8787' }),
		status: 403,
	},
	{ what: 'another website', headersFor: () => ({ 'Sec-Fetch-Site': 'cross-site' }), status: 403 },
	{
		what: 'its own page',
		headersFor: (host) => ({ Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' }),
		status: 200,
	},
	{
		what: 'localhost',
		headersFor: () => ({ Host: 'localhost:9', Origin: 'http://localhost:9' }),
		status: 200,
	},
	{ what: 'a container’s name', headersFor: () => ({ Host: 'emulator:8787' }), status: 200 },
])(
	'the emulator responds to a request from $what with the status $status',
	async ({ headersFor, status }) => {
		const url = new URL(`${client.emulator.consoleUrl}/api/keys`);
		// fetch does not send another Host.
		const request = http.get(url, { headers: headersFor(url.host), agent: false });
		const [response] = (await once(request, 'response')) as [IncomingMessage];
		response.resume();
		expect(response.statusCode).toBe(status);
	},
);

it("the console's page loads nothing from elsewhere, and cannot be framed", async () => {
	const { headers } = await send(client.emulator.consoleUrl, { method: 'GET' });
	const policy = String(headers['content-security-policy']);
	expect(policy).toContain("default-src 'none'");
	expect(policy).toContain("frame-ancestors 'none'");
	expect(policy).not.toContain('unsafe');
});
