import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import {
	startEmulatorProcess,
	type EmulatorProcess,
} from '../../../dev/emulator/emulatorProcess.mts';
import type { CreatedKey } from '../../../dev/emulator/keys.mts';
import { openStorage } from '../../../dev/emulator/storage.mts';
import { callOperation } from '../../support/emulatorClient.mts';
import { createUpload } from '../../support/createForm.mts';
import { createWav } from '../../support/media/recordings.mts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'emulator-storage-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const start = async () => await startEmulatorProcess(['--folder', folder]);

const clone = async (emulator: EmulatorProcess, key: string) => {
	const form = createUpload(createWav(), { name: 'Anna' });
	const { json } = await callOperation(emulator, key, 'voice-clone', form);
	return { text: 'Hello', voice_id: json.voice_id as string };
};

// The test ends the emulator with SIGKILL, because even then, what a response has promised must be on the disk.
it('a folder keeps keys, voices and wallets', async () => {
	const first = await start();
	const key = await first.createKey('sandbox');
	const speech = await clone(first, key);
	const { body } = await callOperation(first, key, 'text-to-speech', speech);
	const wanted = { environment: 'live', scopes: ['amd'] };
	const revoked = await first.callApi<CreatedKey>('POST', '/keys', wanted);
	await first.callApi('PUT', '/settings', { revocationDelayMs: 0 });
	await first.callApi('DELETE', `/keys/${revoked.id}`);
	await first.callApi('PUT', '/wallets/live', { balance: 5 });
	const keys = await first.callApi('GET', '/keys');
	const wallets = await first.callApi('GET', '/wallets');
	process.kill(first.pid, 'SIGKILL');
	await first.stop();

	const second = await start();
	expect(await second.callApi('GET', '/keys')).toEqual(keys);
	expect(await second.callApi('GET', '/wallets')).toEqual(wallets);
	const again = await callOperation(second, key, 'text-to-speech', speech);
	expect([again.status, again.body.equals(body)]).toEqual([200, true]);
	expect((await callOperation(second, revoked.key, 'amd', { text: 'Hello' })).status).toBe(401);
	// The emulator counts voices, also those of the first process, so this is another voice.
	const other = await callOperation(second, key, 'text-to-speech', await clone(second, key));
	expect(other.body.equals(body)).toBe(false);
	await second.stop();
	expect(readdirSync(folder)).toEqual(['emulator.json']);
	expect(readFileSync(path.join(folder, 'emulator.json'), 'utf8')).not.toContain(key);
});

it('the emulator debits nothing, keeps no voice and prints the reason if it cannot save', async () => {
	const printed = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
	const emulator = await start();
	try {
		const key = await emulator.createKey('sandbox');
		const wallets = await emulator.callApi('GET', '/wallets');
		const cannotSave = path.join(folder, 'emulator.json.new');
		mkdirSync(cannotSave);
		const message = 'The emulator failed. It printed the reason.';
		const refused = await callOperation(emulator, key, 'sentiment', { text: 'Good' });
		expect(refused).toMatchObject({ status: 500, json: { error: { message } } });
		expect(printed.mock.calls.join('')).toMatch(/EISDIR.*emulator\.json\.new[^]*\n {4}at /);
		expect((await clone(emulator, key)).voice_id).toBeUndefined();
		expect(await emulator.callApi('GET', '/wallets')).toEqual(wallets);
		await expect(emulator.callApi('PUT', '/wallets/live', { balance: 5 })).rejects.toThrow(
			`500 {"error":"${message}"}`,
		);
		rmSync(cannotSave, { recursive: true });
		await clone(emulator, key);
		const { voices } = JSON.parse(readFileSync(path.join(folder, 'emulator.json'), 'utf8'));
		expect(voices).toHaveLength(1);
	} finally {
		printed.mockRestore();
		await emulator.stop();
	}
});

it.each(['{"keys": [', '{"foreign": 1}'])(
	'the emulator reports the damaged file %s in one sentence, and keeps it',
	async (text) => {
		const file = path.join(folder, 'emulator.json');
		writeFileSync(file, text);
		await expect(openStorage(folder)).rejects.toThrow(/emulator\.json is damaged\. [^\n]+$/);
		expect(readFileSync(file, 'utf8')).toBe(text);
	},
);

it('the emulator reports a port in use in one sentence, and SIGTERM ends it even with an open connection', async () => {
	const emulator = await start();
	const { port } = new URL(emulator.baseUrl);
	const sentence = new RegExp(`exit code 1: [^\\n]*, port ${port}, is in use: [^\\n]+\\n$`);
	await expect(startEmulatorProcess(['--port', port])).rejects.toThrow(sentence);
	const events = await fetch(`${emulator.consoleUrl}/api/events`);
	expect(events.status).toBe(200);
	await emulator.stop();
});
