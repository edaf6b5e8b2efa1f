/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests run on a developer's machine, never in n8n */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const MAIN = path.resolve(__dirname, '../../dev/emulator/main.mjs');

const spawnEmulator = (args: string[]) => spawn(process.execPath, [MAIN, '--port', '0', ...args]);

async function start(args: string[]) {
	const child = spawnEmulator(args);
	const [line] = (await once(child.stdout, 'data')) as [Buffer];
	return { child, ...(JSON.parse(line.toString()) as { baseUrl: string; consoleUrl: string }) };
}

async function expectOneSentence(args: string[], says: string) {
	const child = spawnEmulator(args);
	const [out, err, [code]] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		once(child, 'exit'),
	]);
	expect([out, code]).toEqual(['', 1]);
	expect(err).toContain(says);
	expect(err.trim().split('\n')).toHaveLength(1);
}

test.each([
	[['--port', '65536'], '--port'],
	[['--credits-live', '-1'], '--credits-live'],
	[['--nothing'], '--nothing'],
	[['--host', '192.0.2.1'], '--host'],
])('%j is one clear sentence', expectOneSentence);

test('a port in use is one clear sentence; SIGTERM ends it, even with an open connection', async () => {
	const { child, baseUrl, consoleUrl } = await start(['--json']);
	expect(consoleUrl).toBe(`${baseUrl}/console`);
	const { port } = new URL(baseUrl);
	await expectOneSentence(['--port', port], `127.0.0.1, port ${port}, is in use: `);
	const events = http.get(`${consoleUrl}/api/events`).on('error', () => {});
	await once(events, 'response');
	const begin = Date.now();
	child.kill();
	expect(await once(child, 'exit')).toEqual([0, null]);
	expect(Date.now() - begin).toBeLessThan(3000);
});

test('ends with its parent only with --with-parent', async () => {
	const tied = await start(['--json', '--with-parent']);
	tied.child.stdin.end();
	expect(await once(tied.child, 'exit')).toEqual([0, null]);
	const free = await start(['--json']);
	free.child.stdin.end();
	await new Promise((resolve) => setTimeout(resolve, 200));
	expect((await fetch(free.consoleUrl)).status).toBe(200);
	free.child.kill();
});
