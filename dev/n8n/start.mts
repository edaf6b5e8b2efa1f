import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import getPort from 'get-port';

import { takeLastLines, UserFacingError } from '../lib/errors.mts';
import { startProcess, stopProcess } from '../lib/processes.mts';
import type { InstalledN8n } from './install.mts';

/** How long n8n may take to start. */
const startLimitMs = 300_000;

export interface StartOptions {
	/** n8n keeps all its data in `.n8n` below it. */
	userFolder: string;
	port: number;
	/** Path of the file that gets what n8n prints. It is overwritten. */
	logFile: string;
	/** Variables that are added to those of `createEnvironment`, or replace them. */
	environment?: Record<string, string>;
	/** Options of the Node that runs n8n. */
	nodeFlags?: string[];
	/** n8n's command and its arguments, such as `worker` and `--concurrency=5`; `start` by default. */
	command?: string[];
	/** The text in the log that means that n8n is up. */
	readyText?: string;
	/** Ends n8n if it is aborted before n8n is up. */
	signal?: AbortSignal;
}

export interface RunningN8n {
	/** Its address, without a slash at the end. */
	url: string;
	/** Process id of its main process, which leads the group of all its processes. */
	pid: number;
	userFolder: string;
	logFile: string;
	/** Resolves when n8n has ended, for any reason. Rejects if its log cannot be written, because the disk is full, say. */
	ended: Promise<void>;
	/** Ends n8n and everything that it started. */
	stop: () => Promise<void>;
}

/**
 * Starts n8n and waits until it can be used.
 *
 * @throws {UserFacingError} if n8n ends before it is up, or is not up in time; the message has the last lines of its log
 * @throws {Error} if its log cannot be written
 * @throws the signal's reason if it was aborted
 */
export async function startN8n(
	installed: InstalledN8n,
	options: StartOptions,
): Promise<RunningN8n> {
	const { userFolder, port, logFile, signal } = options;
	const { nodeFlags = [], command = ['start'], readyText = 'Editor is now accessible' } = options;
	signal?.throwIfAborted();
	await mkdir(userFolder, { recursive: true });
	const child = startProcess(installed.node, [...nodeFlags, installed.n8n, ...command], {
		cwd: userFolder,
		env: await createEnvironment(installed, options),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const log = createWriteStream(logFile);
	// Node emits `close` even if the program could not be started.
	child.once('close', () => log.end());
	const ended = finished(log);
	// Not every caller waits for the end.
	ended.catch(() => {});
	try {
		await waitUntilReady(child, log, readyText, signal);
	} catch (error) {
		// While it starts, n8n may ignore SIGTERM, and has nothing to finish.
		await stopProcess(child, 3_000);
		signal?.throwIfAborted();
		if (!(error instanceof UserFacingError)) throw error;
		throw new UserFacingError(
			`n8n ${installed.version} ${error.message} The complete log is in ${logFile}.`,
		);
	}
	return {
		url: `http://127.0.0.1:${port}`,
		pid: child.pid!,
		userFolder,
		logFile,
		ended,
		stop: async () => await stopProcess(child, 15_000),
	};
}

/**
 * @param log gets everything that the child prints
 * @throws {UserFacingError} if the child does not print the text. Its message continues a sentence.
 * @throws {Error} if the log cannot be written, or the signal was aborted
 */
async function waitUntilReady(
	child: ChildProcess,
	log: WriteStream,
	text: string,
	signal?: AbortSignal,
): Promise<void> {
	let printed = '';
	const ready = new Promise<void>((resolve) => {
		for (const stream of [child.stdout, child.stderr]) {
			stream?.on('data', (chunk: Buffer) => {
				log.write(chunk);
				if (printed.includes(text)) return;
				printed += chunk.toString();
				if (printed.includes(text)) resolve();
			});
		}
	});
	const waiting = new AbortController();
	const options = { signal: AbortSignal.any([waiting.signal, ...(signal ? [signal] : [])]) };
	const failure = await Promise.race([
		ready,
		sleep(startLimitMs, 'was not up in time', { ...options, ref: false }),
		once(log, 'error', options).then(([error]) => Promise.reject(error as Error)),
		once(child, 'exit', options).then(
			() => 'ended while it started',
			(error: unknown) => `could not be started: ${(error as Error).message}`,
		),
	]).finally(() => waiting.abort());
	if (failure) throw new UserFacingError(`${failure}:\n${takeLastLines(printed)}\n`);
}

/**
 * Variables that n8n must not inherit. With those for the user's own n8n, it would use the user's database or keys. Those
 * of npm and Node are meant for this process.
 */
const foreignVariables =
	/^(N8N_|DB_|EXECUTIONS_|QUEUE_|CREDENTIALS_|NODES_|WEBHOOK_|WORKFLOWS_|GENERIC_|npm_|NODE_OPTIONS$|NODE_PATH$|NODE_ENV$|PORT$)/i;

async function createEnvironment(
	installed: InstalledN8n,
	{ userFolder, port, environment }: StartOptions,
): Promise<NodeJS.ProcessEnv> {
	const inherited = Object.entries(process.env).filter(([name]) => !foreignVariables.test(name));
	// The user's proxy is not for services of this machine.
	const withoutProxy = [process.env.NO_PROXY ?? process.env.no_proxy, '127.0.0.1,localhost'];
	return {
		...Object.fromEntries(inherited),
		// n8n's task runners start "node" by name.
		PATH: `${path.dirname(installed.node)}${path.delimiter}${process.env.PATH ?? ''}`,
		N8N_USER_FOLDER: userFolder,
		N8N_PORT: String(port),
		N8N_HOST: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(await getPort()),
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		// n8n runs without TLS, so a browser might not send a secure cookie.
		N8N_SECURE_COOKIE: 'false',
		// n8n must not send anything to its makers, nor fetch anything from them.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		NO_PROXY: withoutProxy.filter(Boolean).join(','),
		...installed.environment,
		...environment,
	};
}
