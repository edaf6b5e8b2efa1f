import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

import { startProcess, stopProcess } from '../../../dev/lib/processes.mts';
import { waitUntil } from '../../../dev/lib/waitUntil.mts';

/** The account of the operating system that a program runs as. */
export interface Account {
	uid: number;
	gid: number;
}

interface ServerOptions {
	/** Path of the program. */
	command: string;
	args: string[];
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

/** @returns a server program that is not started yet, and can be stopped and started again */
export function createServer(options: ServerOptions) {
	const { command, args, cwd, logFile, stopSignal, account, input, isUp } = options;
	let child: ChildProcess | undefined;
	return {
		/** Resolves when it can be used. */
		async start() {
			const log = openSync(logFile, 'a');
			const started = startProcess(command, args, { ...account, cwd, stdio: ['pipe', log, log] });
			closeSync(log);
			child = started;
			started.stdin?.on('error', () => {}).end(input);
			let hasEnded = false;
			// It follows an error, too.
			started.once('close', () => {
				hasEnded = true;
			});
			started.once('error', () => {});
			const createMessage = () => `${command} did not start: see ${logFile}`;
			const isUpOrEnded = () => hasEnded || isUp();
			await waitUntil(isUpOrEnded, { timeoutMs: 60_000, intervalMs: 100, createMessage });
			if (hasEnded) throw new Error(createMessage());
		},
		/** Resolves when it has ended. */
		async stop() {
			if (child) await stopProcess(child, 20_000, stopSignal);
		},
	};
}
