// Starts and stops child processes so that none outlives this one: each child leads a process group of
// its own (n8n starts task runners, npm starts compilers), and the whole group is ended with it.
import { spawn, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const windows = process.platform === 'win32';

/** @type {import('node:child_process').ChildProcess | undefined} */
let guard;

/** Starts the guard process (guard.mjs), once. */
function startGuard() {
	if (!guard) {
		// Detached: Ctrl-C goes to the whole process group of the terminal.
		guard = spawn(process.execPath, [fileURLToPath(new URL('guard.mjs', import.meta.url))], {
			detached: true,
			stdio: ['pipe', 'ignore', 'ignore'],
			windowsHide: true,
		});
		guard.unref();
		guard.stdin?.on('error', () => {});
		/** @type {import('node:net').Socket} */ (guard.stdin).unref();
	}
	return guard;
}

/**
 * Tells the guard process what to clean up when this process is gone.
 * @param {{kind: 'group' | 'folder', value: number | string, isGone?: boolean}} message
 */
const tellGuard = (message) => startGuard().stdin?.write(`${JSON.stringify(message)}\n`);

/**
 * Starts a program as the leader of its own process group. The group is killed when this process ends, for any reason.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {import('node:child_process').ChildProcess}
 */
export function startProcess(command, args, options) {
	// Before the child: this process may be killed while the guard starts.
	startGuard();
	const child = spawn(command, args, { ...options, detached: !windows, windowsHide: true });
	const { pid } = child;
	// Without a pid the program could not be started: its event `error` follows.
	if (pid === undefined) return child;
	tellGuard({ kind: 'group', value: pid });
	child.once('exit', () => {
		// What a child leaves behind, when it crashes for instance, still belongs to its group.
		killGroup(pid, 'SIGKILL');
		tellGuard({ kind: 'group', value: pid, isGone: true });
	});
	return child;
}

/**
 * Deletes folders when this process ends, after the processes that it started.
 * @param {string[]} folders
 */
export function deleteAfterwards(folders) {
	for (const value of folders) tellGuard({ kind: 'folder', value });
}

/**
 * Ends a child and everything that it started: asks it first, and after the grace period ends its group.
 * @param {import('node:child_process').ChildProcess} child
 * @param {number} graceMs milliseconds that the child gets to end by itself
 * @param {NodeJS.Signals} [signal] asks the child to end
 * @returns {Promise<void>}
 */
export async function stopProcess(child, graceMs, signal = 'SIGTERM') {
	const { pid } = child;
	if (child.exitCode !== null || child.signalCode !== null || pid === undefined) return;
	const ended = new Promise((resolve) => child.once('exit', resolve));
	if (windows) killGroup(pid, signal);
	else child.kill(signal);
	const late = await Promise.race([ended, sleep(graceMs, 'late', { ref: false })]);
	if (late === 'late') {
		killGroup(pid, 'SIGKILL');
		await ended;
	}
}

/**
 * @param {number} pid of the process that leads the group
 * @param {NodeJS.Signals} signal
 */
export function killGroup(pid, signal) {
	if (windows) spawnSync('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore' });
	else signalGroup(pid, signal);
}

/** @param {number} pid of the process that leads the group */
export const isGroupAlive = (pid) => !windows && signalGroup(pid, 0);

/** @param {number} pid @param {NodeJS.Signals | 0} signal */
function signalGroup(pid, signal) {
	try {
		return process.kill(-pid, signal);
	} catch {
		// No process of the group is left.
		return false;
	}
}
