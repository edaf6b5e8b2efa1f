import { createWriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess, stopProcess } from '../../lib/processes.mts';
import type { ChildProcess } from 'node:child_process';

/** A server program that can be stopped and started again. */
export interface Server {
	/** on the loopback address; the same after every start */
	port: number;
	pid: () => number;
	/** resolves when it can be used */
	start: () => Promise<void>;
	/** resolves when it has ended */
	stop: () => Promise<void>;
}

/**
 * @param options.stopSignal makes it save everything and end
 * @param options.account default: this process's own
 * @param options.input for its standard input
 */
export function createServer(options: {
	command: string;
	args: string[];
	port: number;
	cwd: string;
	logFile: string;
	stopSignal: NodeJS.Signals;
	account?: { uid?: number; gid?: number };
	input?: string;
	isUp: () => boolean;
}): Server {
	const { command, args, port, cwd, logFile, stopSignal, account, input, isUp } = options;
	let child: ChildProcess | undefined;
	return {
		port,
		pid: () => child?.pid ?? 0,
		async start() {
			const started = startProcess(command, args, { ...account, cwd, stdio: 'pipe' });
			child = started;
			let hasFailed = false;
			const log = createWriteStream(logFile, { flags: 'a' });
			started.stdout?.pipe(log, { end: false });
			started.stderr?.pipe(log, { end: false });
			started.stdin?.on('error', () => {}).end(input);
			started.once('error', () => (hasFailed = true)).once('close', () => log.end());
			for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(100)) {
				if (hasFailed || started.exitCode !== null || started.signalCode !== null) break;
				if (isUp()) return;
			}
			throw new Error(`${command} did not start: see ${logFile}`);
		},
		async stop() {
			if (child) await stopProcess(child, 20_000, stopSignal);
		},
	};
}
