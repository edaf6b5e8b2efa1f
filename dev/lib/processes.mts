// Starts and stops child processes so that none outlives this one. Each child leads a process group of its own, because
// n8n starts task runners and npm starts compilers. The whole group ends with its leader.
import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { root, runTypeScript } from './root.cjs';

/** A line of JSON that the guard process reads: what to remove when this process has ended. */
export interface GuardMessage {
	kind: 'group' | 'folder';
	/** Process id of the group's leader, or path of the folder. */
	value: number | string;
	/** Whether the group has ended, so that the guard must forget it. */
	isGone?: boolean;
}

export interface ProcessResult {
	/** Exit code; null if a signal ended the process. */
	code: number | null;
	/** Standard output and standard error. */
	output: string;
}

interface RunOptions extends SpawnOptions {
	/** The output is appended to it. */
	logFile: string;
	/** Ends the process and what it started. */
	signal?: AbortSignal;
}

let guard: ChildProcess | undefined;

/** Starts the guard process (guard.mts), once. */
function startGuard(): ChildProcess {
	if (guard) return guard;
	guard = spawn(process.execPath, [...runTypeScript, join(root, 'dev/lib/guard.mts')], {
		// Ctrl-C goes to the whole process group of the terminal. The guard must survive it.
		detached: true,
		stdio: ['pipe', 'ignore', 'ignore'],
	});
	guard.unref();
	guard.stdin?.on('error', () => {});
	(guard.stdin as Socket).unref();
	return guard;
}

function tellGuard(message: GuardMessage) {
	startGuard().stdin?.write(`${JSON.stringify(message)}\n`);
}

/**
 * Starts a program as the leader of its own process group. The group is killed when this process ends, for any reason.
 * @returns emits `error` if the program cannot be started
 */
export function startProcess(command: string, args: string[], options: SpawnOptions): ChildProcess {
	// This process may be killed while the guard starts, so the guard comes first.
	startGuard();
	// In jest, process.env is a copy, which children do not inherit by themselves.
	const child = spawn(command, args, { env: process.env, ...options, detached: true });
	const { pid } = child;
	if (pid === undefined) return child;
	tellGuard({ kind: 'group', value: pid });
	child.once('exit', () => {
		// What a child leaves behind, for instance when it crashes, still belongs to its group.
		signalGroup(pid, 'SIGKILL');
		tellGuard({ kind: 'group', value: pid, isGone: true });
	});
	return child;
}

/**
 * Runs a program to its end, as {@link startProcess} does.
 * @throws the signal's reason if it was aborted, or why the program could not be started
 */
export async function runProcess(
	command: string,
	args: string[],
	{ logFile, signal, ...options }: RunOptions,
): Promise<ProcessResult> {
	signal?.throwIfAborted();
	const log = createWriteStream(logFile, { flags: 'a' });
	const child = startProcess(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
	const abort = () => void stopProcess(child, 2_000);
	signal?.addEventListener('abort', abort);
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream?.on('data', (chunk: Buffer) => {
			log.write(chunk);
			output += chunk.toString();
		});
	}
	try {
		const [code] = await once(child, 'close');
		signal?.throwIfAborted();
		return { code, output };
	} finally {
		signal?.removeEventListener('abort', abort);
		log.end();
	}
}

/** Deletes a folder when this process ends, after the processes that it started. */
export function deleteAfterwards(folder: string) {
	tellGuard({ kind: 'folder', value: folder });
}

/**
 * Ends a child and everything that it started.
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
	const ended = once(child, 'exit');
	child.kill(signal);
	const kill = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs);
	await ended;
	clearTimeout(kill);
}

/**
 * @param pid process id of the group's leader
 * @param signal 0 only checks
 * @returns whether a process of the group is left
 */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
	try {
		return process.kill(-pid, signal);
	} catch {
		return false;
	}
}
