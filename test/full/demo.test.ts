/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests run on a developer's machine, never in n8n */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadTools, ROOT, type Workflow } from './tools';

/** The command `npm run demo`. */
describe('the demo', () => {
	let folder: string;
	let ports: string[];
	let portNumbers: { port: number; emulatorPort: number; outsidePort: number };
	const running = new Set<ChildProcess>();

	beforeAll(async () => {
		const { freePort } = await loadTools();
		folder = await mkdtemp(path.join(tmpdir(), 'voice-speech-demo-'));
		portNumbers = {
			...{ port: await freePort(), emulatorPort: await freePort() },
			outsidePort: await freePort(),
		};
		const options = ['--port', '--emulator-port', '--outside-port'];
		ports = Object.values(portNumbers).flatMap((port, index) => [options[index]!, String(port)]);
	});

	afterAll(async () => {
		for (const child of running) child.kill('SIGTERM');
		await rm(folder, { recursive: true, force: true });
	});

	/** Starts the demo; `printed` returns its output so far. */
	function start(...args: string[]) {
		const demo = [path.join('dev', 'demo', 'main.mjs'), '--folder', folder, ...args];
		const child = spawn(process.execPath, demo, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
		running.add(child);
		child.once('exit', () => running.delete(child));
		let text = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
		}
		const ended = once(child, 'close').then(([code]) => ({ code: code as number, text }));
		return { child, ended, printed: () => text };
	}

	async function until(isTrue: () => boolean) {
		while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 100));
	}

	/** Every process that this one started, and those that they started. */
	function descendants(pid: number): number[] {
		const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
		const rows = lines
			.trim()
			.split('\n')
			.map((line) => line.trim().split(/\s+/).map(Number));
		const children = rows.flatMap(([child, parent]) => (parent === pid ? [child!] : []));
		return [...children, ...children.flatMap(descendants)];
	}

	function isAlive(pid: number) {
		try {
			process.kill(pid, 0);
			return true;
		} catch {
			return false;
		}
	}

	it('--once runs the examples, shows the results and ends with 0', async () => {
		const { code, text } = await start('--once', ...ports).ended;
		expect({ code, text }).toMatchObject({ code: 0 });
		expect(text).toMatch(/^ {2}Transcript {2}Hello from n8n\. .+\.$/m);
		expect(text).toMatch(/^ {2}Voice ID {4}vc_\w+$/m);
		expect(text).toMatch(/^ {2}Credits {5}[1-9]\d* /m);
		const [, audio] = /^ {2}Audio {7}(.+)$/m.exec(text) ?? [];
		expect((await stat(path.resolve(ROOT, audio!))).size).toBeGreaterThan(44);
		expect(text).not.toMatch(/eak_/);
		// The emulator is announced before n8n is started.
		expect(text).toMatch(/^ {2}Console {5}http:[^]+Starting n8n/m);
	}, 900_000);

	it('leaves the package in n8n as an installation from the registry does', async () => {
		const nodes = path.join(folder, 'n8n', '.n8n', 'nodes');
		const json = async (file: string) =>
			JSON.parse(await readFile(path.join(nodes, file), 'utf8')) as Record<string, unknown>;
		const own = await json('node_modules/n8n-nodes-voice-speech/package.json');
		expect(await json('package.json')).toEqual({
			name: 'installed-nodes',
			private: true,
			dependencies: { 'n8n-nodes-voice-speech': own.version },
		});
		expect(own).not.toHaveProperty('devDependencies');
		expect(own).not.toHaveProperty('peerDependencies');
		expect(await readdir(path.join(nodes, 'node_modules'))).toEqual(['n8n-nodes-voice-speech']);
	});

	it('stays up with its address and login, keeps the key and the voice, and Ctrl-C leaves nothing running', async () => {
		const { child, ended, printed } = start(...ports);
		await Promise.race([until(() => printed().includes('Ctrl-C ends')), ended]);
		expect(printed()).toMatch(/n8n is up {3}http:\/\/127\.0\.0\.1:\d+/);
		expect(printed()).toMatch(/Password {4}\S+/);
		const [, consoleUrl] = /Console {5}(\S+)/.exec(printed()) ?? [];
		const { keys } = (await (await fetch(`${consoleUrl}/api/keys`)).json()) as { keys: object[] };
		expect(keys).toHaveLength(1);
		const file = await readFile(path.join(folder, 'emulator', 'emulator.json'), 'utf8');
		const { voices } = JSON.parse(file) as { voices: object[] };
		// The one for the examples, and one of each run.
		expect(voices).toHaveLength(3);
		// A line for every example, and what the mock server receives.
		for (const example of await readdir(path.join(ROOT, 'examples'))) {
			const name = example.replace('.json', '');
			if (name !== example) expect(printed()).toMatch(new RegExp(`^ {2}${name}: \\S`, 'm'));
		}
		const ticket = {
			method: 'POST',
			body: '{"a":1}',
			headers: { 'content-type': 'application/json' },
		};
		await fetch(`http://127.0.0.1:${portNumbers.outsidePort}/tickets/api/tickets`, ticket);
		await until(() => printed().includes('Received by tickets: {"a":1}'));
		// n8n and its task runner.
		const started = descendants(child.pid!);
		expect(started.length).toBeGreaterThanOrEqual(2);

		child.kill('SIGINT');
		expect(await ended).toMatchObject({ code: 0 });
		// The guard of the processes ends after them.
		await until(() => !started.some(isAlive));
	});

	it('Ctrl-C while n8n starts leaves nothing running either', async () => {
		const { child, ended, printed } = start(...ports);
		await Promise.race([until(() => printed().includes('Starting n8n')), ended]);
		await until(() => descendants(child.pid!).length > 0);
		const started = descendants(child.pid!);

		child.kill('SIGINT');
		const { code, text } = await ended;
		expect({ code, text }).toMatchObject({ code: 130 });
		expect(text).not.toMatch(/\n\s+at /);
		// The guard of the processes ends after them.
		await until(() => !started.some(isAlive));
	});

	it('an edited example is a warning, and only with --once a failure', async () => {
		const { startDemo, putWorkflow, activate } = await loadTools();
		const { rest, workflows, stop } = await startDemo({ folder, ...portNumbers });
		const { id } = workflows['cloned-voice-speaks-text']!;
		const workflow = JSON.stringify(await rest.call('GET', `/workflows/${id}`));
		const edited = JSON.parse(workflow.replaceAll('Save Audio', 'Keep Audio')) as Workflow;
		await activate(rest, await putWorkflow(rest, edited, id));
		await stop();

		const once = await start('--once', ...ports).ended;
		expect(once).toMatchObject({ code: 1, text: expect.stringContaining('saved no audio') });
		const { child, ended, printed } = start(...ports);
		await Promise.race([until(() => printed().includes('Ctrl-C ends')), ended]);
		expect(printed()).toMatch(/Warning: .+ saved no audio: .+--fresh/);
		child.kill('SIGINT');
		expect(await ended).toMatchObject({ code: 0 });
	}, 300_000);

	it('a disk that is full while n8n runs is one sentence', async () => {
		await rm(path.join(folder, 'n8n.log'));
		await symlink('/dev/full', path.join(folder, 'n8n.log'));
		const { code, text } = await start('--once', ...ports).ended;
		expect(code).toBe(1);
		expect(text).toContain('The disk is full: ');
		expect(text).not.toMatch(/\n\s+at /);
		await rm(path.join(folder, 'n8n.log'));
	});

	describe('says in a sentence, with exit code 1 and no stack, that', () => {
		let server: Server;
		let taken: string;

		beforeAll(async () => {
			server = createServer().listen(0, '127.0.0.1');
			await once(server, 'listening');
			taken = String((server.address() as AddressInfo).port);
		});

		afterAll(() => server.close());

		it.each([
			['--port', 'n8n'],
			['--emulator-port', 'the emulator'],
			['--outside-port', 'the mock server for other systems'],
		])('the port of %s is taken', async (option, what) => {
			const { code, text } = await start('--once', ...ports, option, taken).ended;
			expect(code).toBe(1);
			expect(text).toContain(
				`Port ${taken}, meant for ${what}, is already used by another program, or this account cannot use it. End that program, or choose another port with ${option} <number>.`,
			);
			expect(text).not.toMatch(/\n\s+at /);
		});

		it.each([
			['a port is none', ['--port', '123456'], '--port must be a port from 1 to 65535'],
			['an option is unknown', ['--twice'], "Unknown option '--twice'"],
		])('%s', async (_what, args, sentence) => {
			const { code, text } = await start(...args).ended;
			expect(code).toBe(1);
			expect(text).toContain(sentence);
			expect(text).not.toMatch(/\n\s+at /);
		});

		it('it did not create a folder that --fresh would delete', async () => {
			const other = await mkdtemp(path.join(tmpdir(), 'voice-speech-demo-'));
			await mkdir(path.join(other, 'files'));
			const { code, text } = await start('--fresh', ...ports, '--folder', other).ended;
			expect(code).toBe(1);
			expect(text).toContain(`The demo did not create ${path.join(other, 'files')}`);
			expect(text).not.toMatch(/\n\s+at /);
			expect(await readdir(other)).toEqual(['files']);
			await rm(other, { recursive: true });
		});
	});
});
