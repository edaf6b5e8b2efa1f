import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, dirname } from 'node:path';
import { freePort } from '../lib/ports.mts';
import { Problem } from '../lib/problem.mts';
import { startProcess, stopProcess } from '../lib/processes.mts';
import type { Host } from './install.mts';

/** How long n8n may take to start. */
const startLimitMs = 300_000;

/** A running n8n. */
export interface RunningHost {
	/** its address, without a slash at the end */
	url: string;
	/** process id of its main process, which leads the group of all its processes */
	pid: number;
	userFolder: string;
	logFile: string;
	/** settles when n8n has ended, for any reason */
	ended: Promise<void>;
	/** ends n8n and everything that it started */
	stop: () => Promise<void>;
}

/**
 * Starts n8n and waits until it can be used.
 * @param options.userFolder n8n keeps all its data in `.n8n` below it
 * @param options.logFile what n8n prints, from this start on
 * @param options.environment settings over the usual ones
 * @param options.nodeFlags for the Node that runs it
 * @param options.command n8n's command and its arguments (`worker`, `--concurrency=5`); default `start`
 * @param options.ready the text in the log that means that it is up
 * @param options.signal ends n8n if it is not up yet
 * @throws {Problem} when n8n ends before it is up, or is not up in time: the message has its last lines
 */
export async function startHost(
	host: Host,
	options: {
		userFolder: string;
		port: number;
		logFile: string;
		environment?: Record<string, string>;
		nodeFlags?: string[];
		command?: string[];
		ready?: string;
		signal?: AbortSignal;
	},
): Promise<RunningHost> {
	const { userFolder, port, logFile, environment, signal } = options;
	const { nodeFlags = [], command = ['start'], ready = 'Editor is now accessible' } = options;
	signal?.throwIfAborted();
	await mkdir(userFolder, { recursive: true });
	const child = startProcess(host.node, [...nodeFlags, host.n8n, ...command], {
		cwd: userFolder,
		env: {
			...inheritedEnvironment(host),
			...(await usualSettings(userFolder, port)),
			...host.environment,
			...environment,
		},
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const log = createWriteStream(logFile);
	const ended = new Promise<void>((resolve) => {
		child.once('error', () => resolve());
		child.once('exit', () => resolve());
	});
	const stop = async (graceMs = 15_000) => {
		await stopProcess(child, graceMs);
		log.end();
	};
	let printed = '';
	const outcome = await new Promise((resolve) => {
		for (const stream of [child.stdout, child.stderr]) {
			stream?.on('data', (chunk) => {
				log.write(chunk);
				if (printed.includes(ready)) return;
				printed += chunk;
				if (printed.includes(ready)) resolve('ready');
			});
		}
		void ended.then(() => resolve('ended'));
		setTimeout(() => resolve('late'), startLimitMs).unref();
		signal?.addEventListener('abort', () => resolve('aborted'), { once: true });
	});
	if (outcome !== 'ready') {
		// While it starts, n8n may ignore SIGTERM, and has nothing to finish.
		await stop(3_000);
		signal?.throwIfAborted();
		const last = printed.trim().split('\n').slice(-5).join('\n  ');
		const what = outcome === 'late' ? 'was not up in time' : 'ended while it started';
		throw new Problem(
			`n8n ${host.version} ${what}. All it said is in ${logFile}; the end:\n  ${last}`,
		);
	}
	const url = `http://127.0.0.1:${port}`;
	return { url, pid: child.pid ?? 0, userFolder, logFile, ended, stop: () => stop() };
}

/**
 * What n8n inherits: a setting for the user's own n8n must not reach this one (it would use the user's
 * database or keys), nor npm's and Node's own variables.
 */
function inheritedEnvironment(host: Host): NodeJS.ProcessEnv {
	const foreign =
		/^(N8N_|DB_|EXECUTIONS_|QUEUE_|CREDENTIALS_|NODES_|WEBHOOK_|WORKFLOWS_|GENERIC_|npm_|NODE_OPTIONS$|NODE_PATH$|NODE_ENV$|PORT$)/i;
	const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
	return {
		...Object.fromEntries(kept),
		// Its task runners start "node" by name.
		PATH: `${dirname(host.node)}${delimiter}${process.env.PATH ?? ''}`,
	};
}

async function usualSettings(userFolder: string, port: number): Promise<Record<string, string>> {
	return {
		N8N_USER_FOLDER: userFolder,
		N8N_PORT: String(port),
		N8N_HOST: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		// Plain http on the loopback address.
		N8N_SECURE_COOKIE: 'false',
		// Nothing is sent to or fetched from n8n's makers.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		// A proxy of the user's network is not for this machine's own services.
		NO_PROXY: [process.env.NO_PROXY ?? process.env.no_proxy, '127.0.0.1,localhost']
			.filter(Boolean)
			.join(','),
	};
}
