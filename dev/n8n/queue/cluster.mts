// n8n's queue mode on this machine, as if every process had a machine of its own: they share only PostgreSQL
// and Redis, and in the mode "folder" a folder for files.
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installHost } from '../install.mts';
import { packPackage, placePackage } from '../package.mts';
import { freePort } from '../../lib/ports.mts';
import { deleteAfterwards } from '../../lib/processes.mts';
import { signIn } from '../rest.mts';
import { startHost } from '../start.mts';
import { newest } from '../versions.mts';
import { startPostgres } from './postgres.mts';
import { findPrograms } from './programs.mts';
import { startRedis } from './redis.mts';
import type { RunningHost } from '../start.mts';
import type { Rest } from '../rest.mts';
import type { Postgres } from './postgres.mts';
import type { Redis } from './redis.mts';

export interface Cluster {
	/** the editor and its REST interface; serves no production address */
	main: RunningHost;
	/** serves the forms and webhooks */
	webhook: RunningHost;
	workers: RunningHost[];
	/** starts one more */
	addWorker: () => Promise<RunningHost>;
	/** the owner's, at main */
	rest: Rest;
	postgres: Postgres;
	redis: Redis;
	/** ends it all */
	stop: () => Promise<void>;
}

/**
 * @param options.folder for everything but PostgreSQL's data; deleted when this process ends
 * @param options.binaryData where n8n keeps files; its own default is the database
 * @param options.concurrency simultaneous executions of a worker
 * @param options.environment further settings of every process
 * @param options.onStep called before each step
 * @throws {Problem} when something is missing, with advice in the message
 */
export async function startCluster(options: {
	folder: string;
	binaryData?: 'database' | 'folder';
	workers?: number;
	concurrency?: number;
	environment?: Record<string, string>;
	onStep?: (step: string, usually?: string) => void;
}): Promise<Cluster> {
	const { folder, binaryData = 'database', concurrency = 5, onStep = () => {} } = options;
	const programs = findPrograms();
	const tarball = await packPackage({ onStep });
	const host = await installHost(newest, { onStep });
	await mkdir(folder, { recursive: true });

	const id = randomBytes(8).toString('hex');
	// Not in `folder`: PostgreSQL's account cannot read every folder.
	const data = join(process.getuid?.() === 0 ? '/tmp' : tmpdir(), `voice-speech-postgres-${id}`);
	deleteAfterwards([folder, data]);
	onStep('Starting PostgreSQL and Redis', 'a few seconds');
	const postgres = await startPostgres(programs, data);
	const redis = await startRedis(programs, join(folder, 'redis'));

	const webhookPort = await freePort();
	const shared = join(folder, 'shared-files');
	await mkdir(shared, { recursive: true });
	const settings = {
		...postgres.environment,
		...redis.environment,
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
		WEBHOOK_URL: `http://127.0.0.1:${webhookPort}/`,
		N8N_DEFAULT_BINARY_DATA_MODE: binaryData === 'folder' ? 'filesystem' : 'database',
		// Every process must reach the files.
		...(binaryData === 'folder' ? { N8N_STORAGE_PATH: shared } : {}),
		...options.environment,
	};
	const start = async (
		role: string,
		how: { command: string[]; ready: string; port?: number; environment?: Record<string, string> },
	) => {
		const userFolder = join(folder, role);
		await placePackage(tarball, userFolder);
		return await startHost(host, {
			userFolder,
			port: how.port ?? (await freePort()),
			logFile: join(folder, `${role}.log`),
			command: how.command,
			ready: how.ready,
			environment: { ...settings, ...how.environment },
		});
	};

	onStep('Starting n8n: main', '10 to 60 seconds');
	// Alone first: it creates the tables that the others need.
	const main = await start('main', {
		command: ['start'],
		ready: 'Editor is now accessible',
		environment: { N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true' },
	});
	const workers: RunningHost[] = [];
	let started = 0;
	const addWorker = async () => {
		const worker = await start(`worker-${++started}`, {
			command: ['worker', `--concurrency=${concurrency}`],
			ready: 'n8n worker is now ready',
		});
		workers.push(worker);
		return worker;
	};
	onStep('Starting n8n: webhook process and workers', '10 to 60 seconds');
	const [webhook] = await Promise.all([
		start('webhook', {
			command: ['webhook'],
			ready: 'Webhook listener waiting for requests',
			port: webhookPort,
		}),
		...Array.from({ length: options.workers ?? 2 }, addWorker),
	]);
	const password = `Queue-${randomBytes(8).toString('hex')}1`;
	const rest = await signIn(main.url, { email: 'owner@example.com', password });
	const stop = async () => {
		// n8n first: its processes use the servers.
		await Promise.all([main, webhook, ...workers].map(async (one) => await one.stop()));
		await redis.stop();
		await postgres.remove();
	};
	return { main, webhook, workers, addWorker, rest, postgres, redis, stop };
}
