import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { startEmulatorProcess, type EmulatorProcess } from '../../dev/emulator/process.mts';
import type { CreatedKey } from '../../dev/emulator/keys.mts';
import type { Wallets } from '../../dev/emulator/state.mts';
import { createFileParts, sendForm, sendJson } from '../support/emulatorClient';
import { createWav } from '../support/media/recordings';

let folder: string;
let running: EmulatorProcess[];
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'emulator-storage-'));
	running = [];
});
afterEach(async () => {
	await Promise.all(running.map(async (emulator) => await emulator.stop()));
	rmSync(folder, { recursive: true });
});

async function start(): Promise<EmulatorProcess> {
	const emulator = await startEmulatorProcess(['--folder', folder]);
	running.push(emulator);
	return emulator;
}

const clone = async (emulator: EmulatorProcess, key: string) => {
	const parts = createFileParts(createWav(), { name: 'Anna' });
	const { json } = await sendForm(emulator, key, 'voice-clone', parts);
	return { text: 'Hello', voice_id: json.voice_id as string };
};

// The test ends the emulator with SIGKILL, because even then, what a response has promised must be on the disk.
it('a folder keeps keys, voices and wallets', async () => {
	const first = await start();
	const key = await first.createKey('sandbox');
	const speech = await clone(first, key);
	const { body } = await sendJson(first, key, 'text-to-speech', speech);
	const wanted = { environment: 'live', scopes: ['amd'] };
	const revoked = await first.callApi<CreatedKey>('POST', '/keys', wanted);
	await first.callApi('PUT', '/settings', { revocationDelayMs: 0 });
	await first.callApi('DELETE', `/keys/${revoked.id}`);
	await first.callApi('PUT', '/wallets/live', { balance: 5 });
	const [keys, wallets] = [
		await first.callApi('GET', '/keys'),
		await first.callApi('GET', '/wallets'),
	];
	process.kill(first.pid, 'SIGKILL');
	await first.stop();

	const second = await start();
	expect(await second.callApi('GET', '/keys')).toEqual(keys);
	expect(await second.callApi('GET', '/wallets')).toEqual(wallets);
	const again = await sendJson(second, key, 'text-to-speech', speech);
	expect([again.status, again.body.equals(body)]).toEqual([200, true]);
	expect((await sendJson(second, revoked.key, 'amd', { text: 'Hello' })).status).toBe(401);
	// The emulator counts voices, also those of the first process, so this is another voice.
	const other = await sendJson(second, key, 'text-to-speech', await clone(second, key));
	expect(other.body.equals(body)).toBe(false);
	await second.stop();
	expect(readdirSync(folder)).toEqual(['emulator.json']);
	expect(readFileSync(path.join(folder, 'emulator.json'), 'utf8')).not.toContain(key);
});

it('a second emulator on the same folder refuses to start, and the first goes on', async () => {
	const first = await start();
	await expect(start()).rejects.toThrow(
		/exit code 1: Another emulator uses \S+: end it, or choose another folder\.\n$/,
	);
	await first.callApi('PUT', '/wallets/live', { balance: 5 });
	await first.stop();
	expect((await (await start()).callApi<Wallets>('GET', '/wallets')).live).toEqual({ balance: 5 });
});

it.each(['{"keys": [', '{"foreign": 1}'])(
	'the emulator reports the damaged file %s in one sentence, and keeps it',
	async (text) => {
		const file = path.join(folder, 'emulator.json');
		writeFileSync(file, text);
		await expect(start()).rejects.toThrow(/exit code 1: .*emulator\.json is damaged\. [^\n]+\n$/);
		expect(readFileSync(file, 'utf8')).toBe(text);
	},
);
