import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';

import { startProcess, stopProcess } from '../../../dev/lib/processes.mts';
import { waitUntil } from '../../../dev/lib/waitUntil.mts';

/** The account of the operating system that a program runs as. */
export interface Account {
	uid: number;
	gid: number;
}

export interface ServerOptions {
	/** Path of the program. */
	command: string;
	args: string[];
	port: number;
	/** Working folder. */
	cwd: string;
	/** The output is appended to it. */
	logFile: string;
	/** Makes the program save everything and end. */
	stopSignal: NodeJS.Signals;
	/** This process's own by default. */
	account?: Account;
	/** For the standard input. */
	input?: string;
	isUp: () => boolean;
}

/** A server program that can be stopped and started again. */
export interface Server {
	/** On the loopback address; the same after every start. */
	port: number;
	pid: () => number;
	/** Resolves when it can be used. */
	start: () => Promise<void>;
	/** Resolves when it has ended. */
	stop: () => Promise<void>;
}

/** @returns a server that is not started yet */
export function createServer(options: ServerOptions): Server {
	const { command, args, port, cwd, logFile, stopSignal, account, input, isUp } = options;
	let child: ChildProcess | undefined;
	return {
		port,
		pid: () => child?.pid ?? 0,
		async start() {
			const started = startProcess(command, args, { ...account, cwd, stdio: 'pipe' });
			child = started;
			let hasEnded = false;
			const log = createWriteStream(logFile, { flags: 'a' });
			started.stdout?.pipe(log, { end: false });
			started.stderr?.pipe(log, { end: false });
			started.stdin?.on('error', () => {}).end(input);
			started.once('error', () => {
				hasEnded = true;
			});
			started.once('close', () => {
				hasEnded = true;
				log.end();
			});
			const createMessage = () => `${command} did not start: see ${logFile}`;
			const isUpOrEnded = () => hasEnded || isUp();
			await waitUntil(isUpOrEnded, { timeoutMs: 60_000, intervalMs: 100, createMessage });
			if (hasEnded) throw new Error(createMessage());
		},
		async stop() {
			if (child) await stopProcess(child, 20_000, stopSignal);
		},
	};
}
