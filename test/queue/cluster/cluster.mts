// n8n's queue mode on this machine, as if every process had a machine of its own. They share only PostgreSQL and Redis.
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import getPort from 'get-port';

import { UserFacingError } from '../../../dev/lib/errors.mts';
import { installN8n } from '../../../dev/n8n/install.mts';
import { packPackage, placePackage } from '../../../dev/n8n/package.mts';
import { signIn } from '../../../dev/n8n/rest.mts';
import { startN8n, type RunningN8n, type StartOptions } from '../../../dev/n8n/start.mts';
import { newest } from '../../../dev/n8n/versions.mts';
import { startPostgres } from './postgres.mts';
import { startRedis } from './redis.mts';

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

type RoleOptions = Required<Pick<StartOptions, 'command' | 'readyText' | 'port'>> &
	Pick<StartOptions, 'environment'>;

/**
 * Starts one main process, a webhook process and two workers.
 *
 * @param folder for everything but PostgreSQL's data
 * @param environment further settings of every process
 * @throws {UserFacingError} if something is missing, with advice in the message
 */
export async function startCluster(folder: string, environment: Record<string, string>) {
	const [redisServer, initdb] = ['redis-server', 'initdb'].map(findProgram);
	if (!redisServer || !initdb) {
		throw new UserFacingError(
			'Queue mode needs Redis and PostgreSQL, and this machine lacks one of them: install both (on Debian and Ubuntu "apt-get install redis-server postgresql"), then run it again. They do not have to be running.',
		);
	}
	const tarball = await packPackage();
	const installed = await installN8n(newest);
	// PostgreSQL's account cannot read every folder, so its data has a folder of its own.
	const parent = process.getuid?.() === 0 ? '/tmp' : tmpdir();
	const data = path.join(parent, `voice-speech-postgres-${randomBytes(8).toString('hex')}`);
	const postgres = await startPostgres(path.dirname(initdb), data);
	const redis = await startRedis(redisServer, path.join(folder, 'redis'));

	const webhookPort = await getPort();
	const settings: Record<string, string> = {
		...postgres.environment,
		...redis.environment,
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
		WEBHOOK_URL: `http://127.0.0.1:${webhookPort}/`,
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
	};
	const start = async (role: string, options: RoleOptions) => {
		const userFolder = path.join(folder, role);
		await placePackage(tarball, userFolder);
		return await startN8n(installed, {
			...options,
			userFolder,
			logFile: path.join(folder, `${role}.log`),
			environment: { ...settings, ...environment, ...options.environment },
		});
	};

	// The main process creates the tables that the others need, so it starts alone.
	const main = await start('main', {
		command: ['start'],
		readyText: 'Editor is now accessible',
		port: await getPort(),
		environment: { N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true' },
	});
	const workers: RunningN8n[] = [];
	let startedWorkers = 0;
	const addWorker = async () => {
		startedWorkers++;
		const worker = await start(`worker-${startedWorkers}`, {
			command: ['worker', '--concurrency=5'],
			readyText: 'n8n worker is now ready',
			port: await getPort(),
		});
		workers.push(worker);
		const remove = () => workers.splice(workers.indexOf(worker), 1);
		worker.ended.finally(remove).catch(() => {});
		return worker;
	};
	const [webhook] = await Promise.all([
		start('webhook', {
			command: ['webhook'],
			readyText: 'Webhook listener waiting for requests',
			port: webhookPort,
		}),
		addWorker(),
		addWorker(),
	]);
	const password = `Queue-${randomBytes(8).toString('hex')}1`;
	const rest = await signIn(main.url, { email: 'owner@example.com', password });
	const stop = async () => {
		// The processes of n8n use the servers, so they end first.
		await Promise.all([main, webhook, ...workers].map(async (one) => await one.stop()));
		await redis.stop();
		await postgres.remove();
	};
	return {
		/** Has the editor and its REST interface; serves no production address. */
		main,
		/** Serves the forms and webhooks. */
		webhook,
		/** Those that run. */
		workers,
		/** Starts one more worker. */
		addWorker,
		/** Signed in at main as the owner. */
		rest,
		postgres,
		redis,
		/** Ends all processes. */
		stop,
	};
}

/** Debian keeps PostgreSQL's server programs out of the PATH, in a folder for each version. */
const debianFolder = '/usr/lib/postgresql';

function findProgram(name: string): string | undefined {
	const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
	const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
	const folders = [
		...newestFirst.map((version) => path.join(debianFolder, version, 'bin')),
		...(process.env.PATH ?? '').split(path.delimiter),
	];
	return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}
