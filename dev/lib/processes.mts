// Starts and stops child processes so that none outlives this one. Each child leads a process group of its own, because
// n8n starts task runners and npm starts compilers. The whole group ends with its leader.
import {
	fork,
	spawn,
	type ChildProcess,
	type SpawnOptions,
	type StdioOptions,
} from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';

import { root } from './root.cjs';

/** What the guard process must know of a group of processes. */
export interface GuardMessage {
	/** Process ID of its leader. */
	group: number;
	/** Whether it has ended, so that the guard must not kill it. */
	hasEnded: boolean;
}

interface RunOptions extends SpawnOptions {
	/** Path of the file that gets everything that the process prints. It is overwritten. */
	logFile: string;
	/** Ends the process and what it started. */
	signal?: AbortSignal;
}

let guard: ChildProcess | undefined;

/** Process IDs of the leaders of groups that have not ended. */
const groups = new Set<number>();

/** Starts the guard process (guard.cjs), unless it is running. */
function startGuard(): ChildProcess {
	if (guard) return guard;
	guard = fork(path.join(root, 'dev/lib/guard.cjs'), {
		// Ctrl-C goes to the whole process group of the terminal. The guard must survive it.
		detached: true,
		execArgv: [],
		stdio: 'ignore',
	});
	guard.unref();
	guard.channel?.unref();
	guard.on('error', () => {});
	guard.once('exit', () => {
		guard = undefined;
		for (const group of groups) tellGuard({ group, hasEnded: false });
	});
	return guard;
}

function tellGuard(message: GuardMessage) {
	startGuard().send(message);
}

/**
 * Starts a program as the leader of its own process group. The group is killed when this process ends, for any reason.
 *
 * @returns the child, which emits `error` if the program cannot be started
 */
export function startProcess(command: string, args: string[], options: SpawnOptions): ChildProcess {
	// This process may be killed while the guard starts, so the guard starts before the child.
	startGuard();
	// In jest, process.env is a copy, which children do not inherit by themselves.
	const child = spawn(command, args, { env: process.env, ...options, detached: true });
	const { pid } = child;
	if (pid === undefined) return child;
	groups.add(pid);
	tellGuard({ group: pid, hasEnded: false });
	child.once('exit', () => {
		// What a child leaves behind, for instance when it crashes, still belongs to its group.
		killGroup(pid);
		groups.delete(pid);
		tellGuard({ group: pid, hasEnded: true });
	});
	return child;
}

/**
 * Runs a program to its end, as {@link startProcess} does.
 *
 * @returns the exit code, null if a signal ended the program; and what it printed
 * @throws the signal's reason if it was aborted, or why the program could not be started
 */
export async function runProcess(
	command: string,
	args: string[],
	{ logFile, signal, ...options }: RunOptions,
): Promise<{ code: number | null; output: string }> {
	const log = await open(logFile, 'w');
	try {
		signal?.throwIfAborted();
		const stdio: StdioOptions = ['ignore', log.fd, log.fd];
		const child = startProcess(command, args, { ...options, stdio });
		const stop = async () => await stopProcess(child, 2_000);
		signal?.addEventListener('abort', stop, { once: true });
		const closed = once(child, 'close').finally(() => signal?.removeEventListener('abort', stop));
		const [code] = (await closed) as [number | null];
		signal?.throwIfAborted();
		return { code, output: await readFile(logFile, 'utf8') };
	} finally {
		await log.close();
	}
}

/**
 * Ends a child and everything that it started.
 *
 * @param graceMs milliseconds that the child gets to end by itself
 * @param signal the signal that asks the child to end
 */
export async function stopProcess(
	child: ChildProcess,
	graceMs: number,
	signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
	const { pid } = child;
	if (child.exitCode !== null || child.signalCode !== null || pid === undefined) return;
	const ended = once(child, 'exit');
	child.kill(signal);
	const kill = setTimeout(() => killGroup(pid), graceMs);
	await ended;
	clearTimeout(kill);
}

/** Kills everything that was started and has not ended. */
export function killGroups() {
	for (const group of groups) killGroup(group);
}

/** @param pid process ID of the group's leader */
function killGroup(pid: number) {
	try {
		process.kill(-pid, 'SIGKILL');
	} catch {
		// The group has ended.
	}
}
