// How dev/install.mjs installs the packages of a repository, which has one small package.
import { execFile, execFileSync, spawn } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { root } from '../../dev/lib/root.cjs';
import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { isGone } from './program';

const program = path.join(root, 'dev/install.mjs');
const installing = 'Installing the packages';
const hiddenLock = 'node_modules/.package-lock.json';
let folder: string;
let lock: string;
/** Ends what a test started. */
const cleanUps: Array<() => void> = [];

function write(file: string, content: object | string) {
	const text = typeof content === 'string' ? content : JSON.stringify(content);
	writeFileSync(path.join(folder, file), text);
}

function runNpm(cwd: string, ...args: string[]) {
	execFileSync('npm', [...args, '--no-audit', '--no-fund', '--silent'], { cwd });
}

/** @returns what the program printed */
async function install(): Promise<string> {
	const { stdout } = await promisify(execFile)(process.execPath, [program], { cwd: folder });
	expect(existsSync(path.join(folder, 'node_modules/small'))).toBe(true);
	return stdout;
}

beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'voice-speech-install-'));
	lock = path.join(folder, 'node_modules.lock');
	mkdirSync(path.join(folder, 'source'));
	write('source/package.json', { name: 'small', version: '1.0.0' });
	runNpm(path.join(folder, 'source'), 'pack', '--pack-destination', folder);
	const devDependencies = { small: 'file:small-1.0.0.tgz' };
	const small = { version: '1.0.0', resolved: 'file:small-1.0.0.tgz', dev: true };
	write('package.json', { devDependencies, engines: { node: '>=20.19' } });
	write('package-lock.json', {
		lockfileVersion: 3,
		packages: { '': { devDependencies }, 'node_modules/small': small },
	});
	runNpm(folder, 'ci');
	renameSync(path.join(folder, 'node_modules'), path.join(folder, 'installed'));
});

afterEach(() => {
	for (const cleanUp of cleanUps.splice(0)) cleanUp();
	// A program that was killed leaves its lock, and the next test would wait for it.
	for (const left of [lock, path.join(folder, 'node_modules')]) {
		rmSync(left, { recursive: true, force: true });
	}
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Puts there what `npm ci` has installed. */
function restoreModules() {
	cpSync(path.join(folder, 'installed'), path.join(folder, 'node_modules'), { recursive: true });
}

it('of two commands on a fresh clone, one installs the packages and the other waits', async () => {
	const outputs = await Promise.all([install(), install()]);
	expect(outputs.filter((output) => output.includes(installing))).toHaveLength(1);
});

it('a command installs nothing after npm ci', async () => {
	restoreModules();
	expect(await install()).not.toContain(installing);
});

it('a command installs the packages again after an interrupted npm ci', async () => {
	restoreModules();
	rmSync(path.join(folder, hiddenLock));
	expect(await install()).toContain(installing);
});

it('a command installs the packages of another lock file', async () => {
	restoreModules();
	const before = readFileSync(path.join(folder, hiddenLock), 'utf8');
	write(hiddenLock, before.replaceAll('"1.0.0"', '"0.9.0"'));
	expect(await install()).toContain(installing);
});

it('a command fails if a merge left conflicts in the lock file', async () => {
	restoreModules();
	const lockFile = path.join(folder, 'package-lock.json');
	const before = readFileSync(lockFile, 'utf8');
	cleanUps.push(() => writeFileSync(lockFile, before));
	writeFileSync(lockFile, `<<<<<<< HEAD\n${before}`);
	await expect(install()).rejects.toMatchObject({
		code: 1,
		stderr: expect.stringMatching(/^package-lock\.json cannot be read: .*\n$/) as string,
	});
});

it('a command does not wait for one that was killed while it installed', async () => {
	mkdirSync(lock);
	const minuteAgo = new Date(Date.now() - 60_000);
	utimesSync(lock, minuteAgo, minuteAgo);
	expect(await install()).toContain(installing);
});

it.each(['shell', 'program'])('npm ci ends if the %s that started it is killed', async (killed) => {
	const bin = path.join(folder, 'bin');
	mkdirSync(bin, { recursive: true });
	// A stand-in for npm, which takes too long.
	writeFileSync(path.join(bin, 'npm'), '#!/bin/sh\necho npm $$\nexec sleep 600\n', { mode: 0o755 });
	const command = `"${process.execPath}" "${program}" & echo program $! && wait`;
	const shell = spawn('sh', ['-c', command], {
		cwd: folder,
		env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
	});
	let printed = '';
	shell.stdout.on('data', (chunk: Buffer) => {
		printed += chunk.toString();
	});
	const readPid = (name: string) => Number(RegExp(`${name} (\\d+)`).exec(printed)?.[1]);
	cleanUps.push(() => {
		shell.kill('SIGKILL');
		const started = [readPid('program'), readPid('npm')];
		for (const pid of started) if (pid > 0 && !isGone(pid)) process.kill(pid, 'SIGKILL');
	});
	await waitUntil(() => readPid('npm') > 0);
	const npm = readPid('npm');
	// The program tells the guard about npm before it first renews its lock, so the test waits for a renewal.
	const { mtimeMs: created } = statSync(lock);
	await waitUntil(() => statSync(lock).mtimeMs > created);
	process.kill(killed === 'shell' ? shell.pid! : readPid('program'), 'SIGKILL');
	await waitUntil(() => isGone(npm));
});
