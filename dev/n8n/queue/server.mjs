import { createWriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess, stopProcess } from '../processes.mjs';

/**
 * A server program that can be stopped and started again.
 * @typedef {object} Server
 * @property {number} port on the loopback address; the same after every start
 * @property {() => number} pid
 * @property {() => Promise<void>} start resolves when it can be used
 * @property {() => Promise<void>} stop resolves when it has ended
 */

/**
 * @param {object} options
 * @param {string} options.command
 * @param {string[]} options.args
 * @param {number} options.port
 * @param {string} options.cwd
 * @param {string} options.logFile
 * @param {NodeJS.Signals} options.stopSignal makes it save everything and end
 * @param {{uid?: number, gid?: number}} [options.account] default: this process's own
 * @param {string} [options.input] for its standard input
 * @param {() => boolean} options.isUp
 * @returns {Server}
 */
export function createServer(options) {
	const { command, args, port, cwd, logFile, stopSignal, account, input, isUp } = options;
	/** @type {import('node:child_process').ChildProcess | undefined} */
	let child;
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
