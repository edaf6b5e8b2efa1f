import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { startDemo } from '../../dev/demo/startDemo.mts';
import { startEmulatorProcess } from '../../dev/emulator/emulatorProcess.mts';
import { root } from '../../dev/lib/root.cjs';
import { typeScriptFlags } from '../../dev/lib/typeScriptFlags.cjs';
import { activateWorkflow, putWorkflow, type Workflow } from '../../dev/n8n/workflows.mts';
import { createTestFolder } from '../support/testFolder.mts';

/** While other suites run, n8n may take minutes to start and to run the examples. */
const outputTimeoutMs = 400_000;

type Program = ReturnType<typeof startProgram>;

/** Starts Node with these arguments in the repository's root; `readOutput` returns what it has printed so far. */
function startProgram(...args: string[]) {
	const child = spawn(process.execPath, [...typeScriptFlags, ...args], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let text = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => {
			text += chunk.toString();
		});
	}
	let hasEnded = false;
	const ended = once(child, 'close').then(([code]) => {
		hasEnded = true;
		return { code: code as number, text };
	});
	/** Resolves once it has printed this text, or has ended. */
	const waitForOutput = async (expected: string) => {
		const isPrintedOrEnded = () => text.includes(expected) || hasEnded;
		await waitUntil(isPrintedOrEnded, {
			timeoutMs: outputTimeoutMs,
			createMessage: () => `The program did not print "${expected}", but: ${text}`,
		});
		expect(text).toContain(expected);
	};
	return { child, ended, waitForOutput, readOutput: () => text };
}

/**
 * The processes with their parents. A zombie has ended: its parent may have ended without waiting for it, and in a
 * container, often nothing else waits for it either.
 */
function listProcesses() {
	const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' });
	const rows = [...lines.matchAll(/(\d+) +(\d+) +[^Z\s]/g)];
	return rows.map(([, pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }));
}

/** The processes that this one started, and those that they started. */
function listDescendants(pid: number): number[] {
	const children = listProcesses().filter(({ parent }) => parent === pid);
	return children.flatMap((child) => [child.pid, ...listDescendants(child.pid)]);
}

/** Ends the demo as Ctrl-C does, and waits until all processes that it started are gone. */
async function interrupt({ child, ended }: Program) {
	const started = listDescendants(child.pid!);
	expect(started).not.toEqual([]);
	child.kill('SIGINT');
	const outcome = await ended;
	// The guard of the processes ends after them.
	await waitUntil(() => !listProcesses().some(({ pid }) => started.includes(pid)));
	return outcome;
}

/**
 * The command `npm run demo`. n8n's first start in a folder takes long, so all tests use one folder, in which the demo has
 * run.
 */
describe('the demo', () => {
	const folder = createTestFolder();
	let firstRun: Awaited<Program['ended']>;
	/** End what a test started. A demo that a failed test left running would keep the folder and the ports. */
	const cleanUps: Array<() => unknown> = [];

	beforeAll(async () => {
		firstRun = await start('--once').ended;
	});

	afterEach(async () => {
		for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
	});

	function start(...args: string[]) {
		const demo = startProgram('dev/demo/main.mts', '--folder', folder, ...args);
		cleanUps.push(async () => {
			demo.child.kill('SIGTERM');
			await demo.ended;
		});
		return demo;
	}

	/** Lets a server use the port, unless a program of the developer already does. */
	async function occupyPort(port: number) {
		const server = createServer().listen(port, '127.0.0.1');
		cleanUps.push(() => server.close());
		await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
			if (error.code !== 'EADDRINUSE') throw error;
		});
	}

	async function readEmulatorState() {
		const file = await readFile(path.join(folder, 'emulator', 'emulator.json'), 'utf8');
		return JSON.parse(file) as { keys: object[]; voices: object[] };
	}

	/** Expects the demo to end with this sentence, exit code 1 and no stack. */
	async function expectProblem(args: string[], sentence: string) {
		const { code, text } = await start(...args).ended;
		expect(code).toBe(1);
		expect(text).toContain(sentence);
		expect(text).not.toMatch(/\n\s+at /);
	}

	it('runs the examples with --once, shows the results and ends with 0', async () => {
		const { code, text } = firstRun;
		expect({ code, text }).toMatchObject({ code: 0 });
		expect(text).toMatch(/^ {2}Transcript {2}Hello from n8n\. .+\.$/m);
		expect(text).toMatch(/^ {2}Voice ID {4}vc_\w+$/m);
		expect(text).toMatch(/^ {2}Credits {5}[1-9]\d* /m);
		const [, audio] = /^ {2}Audio {7}(.+)$/m.exec(text) ?? [];
		expect((await stat(path.resolve(root, audio!))).size).toBeGreaterThan(44);
		expect(text).not.toMatch(/eak_/);
	});

	it('stays up with its address and login on free ports, keeps the key and the voice, and Ctrl-C leaves nothing running', async () => {
		// The demo uses other ports if the usual ones are taken.
		await occupyPort(8787);
		const before = await readEmulatorState();
		const demo = start();
		await demo.waitForOutput('Ctrl-C ends');
		expect(demo.readOutput()).not.toContain(':8787');
		expect(demo.readOutput()).toMatch(/Workflows {3}http:\/\/127\.0\.0\.1:\d+\/home\/workflows/);
		expect(demo.readOutput()).toMatch(/Password {4}\S+/);
		const { keys, voices } = await readEmulatorState();
		// Each run clones a voice.
		expect(keys).toEqual(before.keys);
		expect(voices).toEqual([...before.voices, expect.anything()]);
		for (const example of await readdir(path.join(root, 'examples'))) {
			const { name, ext } = path.parse(example);
			if (ext === '.json') expect(demo.readOutput()).toContain(`  ${name}: `);
		}
		// The demo prints this for an example without instructions of its own (dev/demo/instructions.mts).
		expect(demo.readOutput()).not.toContain('see its notes in n8n');
		const headers = { 'content-type': 'application/json' };
		const ticket = { method: 'POST', body: '{"a":1}', headers };
		const [mockSystemsUrl] = /http:\/\/[\w.:]+(?=\/files\/)/.exec(demo.readOutput())!;
		await fetch(`${mockSystemsUrl}/tickets/api/tickets`, ticket);
		await demo.waitForOutput('Received by tickets: {"a":1}');
		expect(await interrupt(demo)).toMatchObject({ code: 0 });
	});

	it('leaves nothing running if Ctrl-C ends it while n8n starts', async () => {
		const demo = start();
		await demo.waitForOutput('Starting n8n');
		await waitUntil(() => listDescendants(demo.child.pid!).length > 0);
		const { code, text } = await interrupt(demo);
		expect({ code, text }).toMatchObject({ code: 130 });
		expect(text).not.toMatch(/\n\s+at /);
	});

	it('reports a disk that is full while n8n runs in one sentence', async () => {
		const log = path.join(folder, 'n8n.log');
		// It is missing if this test ran before.
		await rm(log, { force: true });
		cleanUps.push(async () => await rm(log, { force: true }));
		await symlink('/dev/full', log);
		await expectProblem(['--once'], 'The disk is full: ');
	});

	it('says in a sentence that another program uses the port that its workflows call', async () => {
		const state = await readFile(path.join(folder, 'state.json'), 'utf8');
		const { mockSystemsPort } = JSON.parse(state) as { mockSystemsPort: number };
		await occupyPort(mockSystemsPort);
		await expectProblem(['--once'], `Another program uses port ${mockSystemsPort}`);
	});

	it('says in a sentence that another one uses its folder', async () => {
		const emulator = await startEmulatorProcess(['--folder', path.join(folder, 'emulator')]);
		cleanUps.push(async () => await emulator.stop());
		await expectProblem(['--once'], 'Another emulator uses ');
	});

	it('says of an edited example what it did not do', async () => {
		// A folder of its own, so that no other test has this example.
		const edited = path.join(folder, 'edited');
		const { rest, workflows, stop } = await startDemo({ folder: edited });
		cleanUps.push(stop);
		const { id } = workflows['cloned-voice-speaks-text']!;
		const before = JSON.stringify(await rest.call('GET', `/workflows/${id}`));
		const renamed = JSON.parse(before.replaceAll('Save Audio', 'Keep Audio')) as Workflow;
		await activateWorkflow(rest, await putWorkflow(rest, renamed, id));
		await stop();
		await expectProblem(['--once', '--folder', edited], 'saved no audio');
	});
});
