/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests run on a developer's machine, never in n8n */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { startEmulator } from '../support/emulator';

const ROOT = path.resolve(__dirname, '../..');

/** Runs the emulator, or a script about it, to its end. */
async function run(args: string[]) {
	const child = spawn(process.execPath, args, { cwd: ROOT });
	const [out, err, [code]] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		once(child, 'exit') as Promise<[number]>,
	]);
	return { out, err, code };
}

test('a port in use is one clear sentence', async () => {
	const running = await startEmulator();
	const { port } = new URL(running.baseUrl);
	const { out, err, code } = await run(['dev/emulator/main.mjs', '--port', port, '--json']);
	expect([out, code]).toEqual(['', 1]);
	expect(err).toMatch(new RegExp(`^127\\.0\\.0\\.1, port ${port}, is in use: [^\n]+\\.\n$`));
	await running.stop();
});

test.each([
	[['--port', 'x'], '--port'],
	[['--port', '65536'], '--port'],
	[['--credits-live', '-1'], '--credits-live'],
	[['--nothing'], '--nothing'],
	[['--host', '192.0.2.1'], '--host'],
])('%j is one clear sentence', async (args, name) => {
	const { out, err, code } = await run(['dev/emulator/main.mjs', '--port', '0', ...args]);
	expect([out, code]).toEqual(['', 1]);
	expect(err).toContain(name);
	expect(err.trim().split('\n')).toHaveLength(1);
});

test('--help explains every option', async () => {
	const { out, code } = await run(['dev/emulator/main.mjs', '--help']);
	expect(code).toBe(0);
	const options = ['port', 'host', 'folder', 'credits-sandbox', 'credits-live', 'json'];
	for (const option of [...options, 'with-parent']) expect(out).toContain(`--${option}`);
});

describe('a running emulator', () => {
	async function start(args: string[]) {
		const all = ['dev/emulator/main.mjs', '--port', '0', ...args];
		const child = spawn(process.execPath, all, { cwd: ROOT });
		let out = '';
		child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
		while (!out.includes('\n')) await once(child.stdout, 'data');
		return { child, out: () => out };
	}
	const addresses = (out: string) => JSON.parse(out) as { baseUrl: string; consoleUrl: string };

	test.each(['SIGTERM', 'SIGINT'] as const)(
		'%s ends it at once, even with an open connection',
		async (signal) => {
			const { child, out } = await start(['--json']);
			const events = `${addresses(out()).consoleUrl}/api/events`;
			await once(
				http.get(events).on('error', () => {}),
				'response',
			);
			const begin = Date.now();
			child.kill(signal);
			expect(await once(child, 'exit')).toEqual([0, null]);
			expect(Date.now() - begin).toBeLessThan(3000);
		},
	);

	test('prints both addresses: one line of JSON, also while it works, or for a person', async () => {
		const { child, out } = await start(['--json']);
		const { baseUrl, consoleUrl } = addresses(out());
		expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
		expect(consoleUrl).toBe(`${baseUrl}/console`);
		await fetch(`${baseUrl}/ai/amd`, { method: 'POST' });
		const person = await start([]);
		for (const one of [child, person.child]) one.kill();
		await Promise.all([once(child, 'exit'), once(person.child, 'exit')]);
		expect(out().trim().split('\n')).toHaveLength(1);
		expect(person.out()).toMatch(/make-believe/);
		expect(person.out()).toMatch(
			/http:\/\/127\.0\.0\.1:\d+\n[^]*http:\/\/127\.0\.0\.1:\d+\/console/,
		);
	});

	test('ends with its parent only with --with-parent', async () => {
		const tied = await start(['--json', '--with-parent']);
		tied.child.stdin.end();
		expect(await once(tied.child, 'exit')).toEqual([0, null]);
		const free = await start(['--json']);
		free.child.stdin.end();
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect((await fetch(addresses(free.out()).consoleUrl)).status).toBe(200);
		free.child.kill();
	});
});

test('can be started from another program', async () => {
	const script = `
		import { startEmulator } from ${JSON.stringify(pathToFileURL(path.join(ROOT, 'dev/emulator/index.mjs')).href)};
		const emulator = await startEmulator({ port: 0, settings: { cloneStatus: 201 }, credits: { live: 7 } });
		const { key } = emulator.createKey({ environment: 'live', scopes: ['amd'] });
		const accepted = [key, 'eak_test_unknown'].map(emulator.acceptsKey);
		emulator.setSettings({ errorShape: 'message' });
		const { cloneStatus, errorShape } = emulator.settings;
		const wallets = await (await fetch(emulator.consoleUrl + '/api/wallets')).json();
		await emulator.close();
		const gone = await fetch(emulator.baseUrl).catch(() => 'gone');
		console.log(JSON.stringify({ accepted, wallets, cloneStatus, errorShape, gone }));
	`;
	const { out, err } = await run(['--input-type=module', '-e', script]);
	expect(err).toBe('');
	expect(JSON.parse(out)).toEqual({
		accepted: [true, false],
		wallets: { sandbox: { balance: 10_000 }, live: { balance: 7 } },
		cloneStatus: 201,
		errorShape: 'message',
		gone: 'gone',
	});
});
