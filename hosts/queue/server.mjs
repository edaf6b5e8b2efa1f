import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess } from '../processes.mjs';

/**
 * A server program that can be taken away from those who use it, and given back.
 * @typedef {object} Server
 * @property {number} port on the loopback address; the same after every start
 * @property {() => number} pid
 * @property {() => Promise<void>} start resolves when it can be used
 * @property {(signal?: NodeJS.Signals) => Promise<void>} stop resolves when it has ended
 */

/**
 * @param {object} options
 * @param {string} options.command
 * @param {string[]} options.args
 * @param {number} options.port
 * @param {string} options.cwd
 * @param {string} options.logFile
 * @param {NodeJS.Signals} options.stopSignal its own way to end at once, with everything saved
 * @param {import('./account.mjs').Account} [options.account]
 * @param {Record<string, string>} [options.environment] beside this process's own
 * @param {string} [options.input] what it reads from its standard input
 * @param {() => boolean} options.isUp
 * @returns {Server}
 */
export function createServer(options) {
	const { command, args, port, cwd, logFile, stopSignal, account = {}, input } = options;
	/** @type {import('node:child_process').ChildProcess | undefined} */
	let child;
	return {
		port,
		pid: () => child?.pid ?? 0,
		async start() {
			const started = startProcess(command, args, {
				...account,
				cwd,
				env: { ...process.env, ...options.environment },
				stdio: ['pipe', 'pipe', 'pipe'],
			});
			child = started;
			const log = createWriteStream(logFile, { flags: 'a' });
			started.stdout?.pipe(log, { end: false });
			started.stderr?.pipe(log, { end: false });
			started.stdin?.on('error', () => {}).end(input);
			started.once('error', () => log.end());
			started.once('close', () => log.end());
			await isThere(started, options.isUp, logFile);
		},
		async stop(signal = stopSignal) {
			if (!child || child.exitCode !== null || child.signalCode !== null) return;
			const ended = once(child, 'exit');
			child.kill(signal);
			const late = await Promise.race([ended, sleep(20_000, 'late', { ref: false })]);
			if (late !== 'late') return;
			child.kill('SIGKILL');
			await ended;
		},
	};
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {() => boolean} isUp
 * @param {string} logFile
 */
async function isThere(child, isUp, logFile) {
	let failed = false;
	child.once('error', () => (failed = true));
	for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(100)) {
		if (failed || child.exitCode !== null || child.signalCode !== null) break;
		if (isUp()) return;
	}
	throw new Error(`${child.spawnfile} did not come up: ${logFile} says why`);
}
