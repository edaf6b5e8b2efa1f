// Starts and stops child processes so that none outlives this one: each child leads a process group of
// its own (n8n starts task runners, npm starts compilers), and the whole group is ended with it.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root, runTypeScript } from './root.cjs';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import type { Socket } from 'node:net';

const windows = process.platform === 'win32';

let guard: ChildProcess | undefined;

/** Starts the guard process (guard.mts), once. */
function startGuard() {
	if (!guard) {
		// Detached: Ctrl-C goes to the whole process group of the terminal.
		guard = spawn(process.execPath, [...runTypeScript, join(root, 'dev/lib/guard.mts')], {
			detached: true,
			stdio: ['pipe', 'ignore', 'ignore'],
			windowsHide: true,
		});
		guard.unref();
		guard.stdin?.on('error', () => {});
		(guard.stdin as Socket).unref();
	}
	return guard;
}

/** Tells the guard process what to clean up when this process is gone. */
const tellGuard = (message: {
	kind: 'group' | 'folder';
	value: number | string;
	isGone?: boolean;
}) => startGuard().stdin?.write(`${JSON.stringify(message)}\n`);

/**
 * Starts a program as the leader of its own process group. The group is killed when this process ends, for any reason.
 */
export function startProcess(command: string, args: string[], options: SpawnOptions): ChildProcess {
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

/** Deletes folders when this process ends, after the processes that it started. */
export function deleteAfterwards(folders: string[]) {
	for (const value of folders) tellGuard({ kind: 'folder', value });
}

/**
 * Ends a child and everything that it started: asks it first, and after the grace period ends its group.
 * @param graceMs milliseconds that the child gets to end by itself
 * @param signal asks the child to end
 */
export async function stopProcess(
	child: ChildProcess,
	graceMs: number,
	signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
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

/** @param pid of the process that leads the group */
export function killGroup(pid: number, signal: NodeJS.Signals) {
	if (windows) spawnSync('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore' });
	else signalGroup(pid, signal);
}

/** @param pid of the process that leads the group */
export const isGroupAlive = (pid: number) => !windows && signalGroup(pid, 0);

function signalGroup(pid: number, signal: NodeJS.Signals | 0) {
	try {
		return process.kill(-pid, signal);
	} catch {
		// No process of the group is left.
		return false;
	}
}
