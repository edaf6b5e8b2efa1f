import { once } from 'node:events';
import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';

import { documentedScopes } from '../../support/serviceInterface.mts';
import type { CreatedKey } from '../../../dev/emulator/keys.mts';
import { operationHandlers } from '../../../dev/emulator/service/index.mts';
import { createUpload } from '../../support/createForm.mts';
import { send, useEmulator } from '../../support/emulatorClient.mts';
import { createWav } from '../../support/media/recordings.mts';
import { createTestFolder } from '../../support/testFolder.mts';

// An empty folder, so that espeak-ng is missing.
const client = useEmulator({}, { PATH: createTestFolder() });

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
			(await client.call('voice-clone', createUpload(createWav()), key)).status;
		expect([await clone(client.key), await clone(cloning.key)]).toEqual([403, 400]);
	});
});

it('the console shows the balance after a refund', async () => {
	const settings = { ttsEngine: 'espeak', unknownVoice: 'accept' };
	await client.runWithSettings(settings, async () => {
		const { body } = await fetch(`${client.emulator.consoleUrl}/api/events`);
		const { sandbox } = await client.readBalances();
		const { status } = await client.call('text-to-speech', { text: 'Hi', voice_id: 'x' });
		expect(status).toBe(501);
		let events = '';
		const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
		while (!events.includes('event: call\n')) {
			const { done, value } = await reader.read();
			expect(done).toBe(false);
			events += value;
		}
		await reader.cancel();
		const shown = [...events.matchAll(/event: wallets\ndata: .*?"balance":(\d+)/g)];
		const { credits } = operationHandlers['text-to-speech'];
		const expected = [sandbox, sandbox - credits, sandbox];
		expect(shown.map(([, balance]) => Number(balance))).toEqual(expected);
	});
});

it.each<[what: string, status: number, headersFor: (host: string) => OutgoingHttpHeaders]>([
	['another origin', 403, () => ({ Origin: 'https://evil.example' })],
	['a public name that resolves to here', 403, () => ({ Host: 'evil.example:8787' })],
	['another website', 403, () => ({ 'Sec-Fetch-Site': 'cross-site' })],
	['its own page', 200, (host) => ({ Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' })],
	['localhost', 200, () => ({ Host: 'localhost:9', Origin: 'http://localhost:9' })],
	['a container’s name', 200, () => ({ Host: 'emulator:8787' })],
])(
	'the emulator responds to a request from %s with the status %i',
	async (_, status, headersFor) => {
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
