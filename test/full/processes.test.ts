import { once } from 'node:events';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { runProcess } from '../../dev/lib/processes.mts';
import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { createRange } from '../support/calls';
import { isGone, createScriptArguments, usePrograms } from './program';

/** The command line of a process; empty if it has ended. */
function readCommandLine(pid: string): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
	} catch {
		return '';
	}
}

const startProgram = usePrograms();
let folder: string;

beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'voice-speech-processes-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('with dev/lib/processes.mts', () => {
	/** Starts itself in a process group of its own, which does the same, and so on. */
	const nested = `
		import { startProcess } from './dev/lib/processes.mts';
		const [script, depth] = process.argv.slice(1);
		console.log(process.pid);
		setInterval(() => {}, 1_000);
		const args = ['--import', 'tsx', '--input-type=module', '--eval', script, script, depth - 1];
		if (depth > 0) startProcess(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
		else console.log('all started');`;

	it.each(['SIGKILL', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
		'%s of a process ends all that it started, in nested groups too',
		async (signal) => {
			const { child, waitForOutput, readOutput } = startProgram(
				...createScriptArguments(nested, nested, '2'),
			);
			await waitForOutput('all started');
			const pids = [...readOutput().matchAll(/\d+/g)].map(([pid]) => Number(pid));
			expect(pids).toHaveLength(3);
			child.kill(signal);
			await waitUntil(() => pids.every(isGone));
		},
	);

	it('all that a process started ends with it, even if the guard process was killed before', async () => {
		const parent = `
			import { startProcess } from './dev/lib/processes.mts';
			const inner = startProcess(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], { stdio: 'ignore' });
			console.log(inner.pid + ' started');
			setInterval(() => console.log('.'), 100);`;
		const { child, waitForOutput, readOutput } = startProgram(...createScriptArguments(parent));
		await waitForOutput('started');
		const inner = parseInt(readOutput());
		const findGuard = () =>
			readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
				.match(/\d+/g)
				?.find((pid) => readCommandLine(pid).includes('guard.cjs'));
		const first = findGuard()!;
		process.kill(Number(first), 'SIGKILL');
		await waitUntil(() => ![undefined, first].includes(findGuard()));
		// The process tells the new guard of its children before its second dot.
		const { length } = readOutput();
		await waitUntil(() => readOutput().length > length + '.\n'.length);
		child.kill('SIGKILL');
		await waitUntil(() => isGone(inner));
	});

	it('what a process leaves behind in its group ends with it', async () => {
		const crash = `
			const { spawn } = require('node:child_process');
			const inner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], { stdio: 'ignore' });
			console.log(inner.pid);
			process.exit(1);`;
		const parent = `
			import { startProcess } from './dev/lib/processes.mts';
			startProcess(process.execPath, ['-e', process.argv[1]], { stdio: ['ignore', 'inherit', 'inherit'] })
				.once('exit', () => setTimeout(() => {}, 60_000));`;
		const { child } = startProgram(...createScriptArguments(parent, crash));
		const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
		await waitUntil(() => isGone(Number(chunk.toString())));
	});
});

it('runProcess does not start a program if its signal aborts while the log file is opened', async () => {
	const interruption = new AbortController();
	const started = path.join(folder, 'started');
	const program = `require('node:fs').writeFileSync(${JSON.stringify(started)}, '')`;
	const options = { logFile: path.join(folder, 'log'), signal: interruption.signal };
	const running = runProcess(process.execPath, ['--eval', program], options);
	interruption.abort(new Error('interrupted'));
	await expect(running).rejects.toThrow('interrupted');
	expect(existsSync(started)).toBe(false);
});

describe('with dev/lib/lock.mts', () => {
	const rounds = 10;

	/** Takes each lock once, and reports if another process has it at the same time. */
	const competitor = `
		import { access, rm, writeFile } from 'node:fs/promises';
		import { setTimeout as sleep } from 'node:timers/promises';
		import { acquireLock } from './dev/lib/lock.mts';
		import { waitUntil } from './dev/lib/waitUntil.mts';
		const [folder, startFile] = process.argv.slice(1);
		console.log('ready');
		await waitUntil(async () => await access(startFile).then(() => true, () => false));
		const compete = async (_, round) => {
			const release = await acquireLock(folder + '/' + round);
			const inside = folder + '/inside-' + round;
			await writeFile(inside, '', { flag: 'wx' }).catch(() => console.log('overlap in round ' + round));
			await sleep(30);
			await rm(inside, { force: true });
			await release();
		};
		await Promise.all(Array.from({ length: ${rounds} }, compete));`;

	it('four processes that compete for a lock hold it one after the other', async () => {
		const startFile = path.join(folder, 'start');
		const programs = createRange(4).map(() =>
			startProgram(...createScriptArguments(competitor, folder, startFile)),
		);
		for (const program of programs) await program.waitForOutput('ready');
		writeFileSync(startFile, '');
		const outcomes = await Promise.all(programs.map(async ({ ended }) => await ended));
		expect(outcomes).toEqual(outcomes.map(() => ({ code: 0, text: 'ready\n' })));
		expect(readdirSync(folder)).toEqual(['start']);
	});

	const holder = `
		import { acquireLock } from './dev/lib/lock.mts';
		await acquireLock(process.argv[1], { onWait: () => console.log('waiting') });
		console.log('acquired');
		setInterval(() => {}, 1_000);`;

	it('a lock is free again when the process that held it is killed', async () => {
		const lock = path.join(folder, 'lock');
		const first = startProgram(...createScriptArguments(holder, lock));
		await first.waitForOutput('acquired');
		const second = startProgram(...createScriptArguments(holder, lock));
		await second.waitForOutput('waiting');
		expect(second.readOutput()).not.toContain('acquired');
		first.child.kill('SIGKILL');
		await second.waitForOutput('acquired');
		second.child.kill('SIGTERM');
		await second.ended;
		expect(existsSync(lock)).toBe(false);
	});

	it('a lock that a crash of the machine left is free', async () => {
		const lock = path.join(folder, 'lock');
		const anHourAgo = new Date(Date.now() - 3_600_000);
		mkdirSync(lock);
		utimesSync(lock, anHourAgo, anHourAgo);
		const program = startProgram(...createScriptArguments(holder, lock));
		await program.waitForOutput('acquired');
		expect(program.readOutput()).not.toContain('waiting');
	});
});
