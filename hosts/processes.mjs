// Starts and stops child processes so that none outlives this one: each child leads a process group of
// its own (n8n starts task runners, npm starts compilers), and the whole group is ended with it.
import { spawn, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const windows = process.platform === 'win32';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

// The last resort, if this process ends before it could stop its children properly.
process.on('exit', () => {
	for (const child of running) killGroup(child, 'SIGKILL');
});

/**
 * Starts a program as the leader of its own process group.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {import('node:child_process').ChildProcess}
 */
export function startProcess(command, args, options) {
	const child = spawn(command, args, { ...options, detached: !windows, windowsHide: true });
	running.add(child);
	child.once('error', () => running.delete(child));
	child.once('exit', () => {
		// What a child leaves behind, when it crashes for instance, still belongs to its group.
		killGroup(child, 'SIGKILL');
		running.delete(child);
	});
	return child;
}

/**
 * Ends a child and everything that it started: asks it first, and after the grace period ends its group.
 * @param {import('node:child_process').ChildProcess} child
 * @param {number} graceMs milliseconds that the child gets to end by itself
 * @returns {Promise<void>}
 */
export async function stopProcess(child, graceMs) {
	if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
		const ended = new Promise((resolve) => child.once('exit', resolve));
		if (windows) killGroup(child, 'SIGTERM');
		else child.kill('SIGTERM');
		const late = await Promise.race([ended, sleep(graceMs, 'late', { ref: false })]);
		if (late === 'late') {
			killGroup(child, 'SIGKILL');
			await ended;
		}
	}
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function killGroup(child, signal) {
	if (child.pid === undefined) return;
	if (windows) {
		spawnSync('taskkill', ['/PID', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
		return;
	}
	try {
		process.kill(-child.pid, signal);
	} catch {
		// No process of the group is left.
	}
}
