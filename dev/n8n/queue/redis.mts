import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { freePort } from '../../lib/ports.mts';
import { createServer } from './server.mts';
import type { Server } from './server.mts';
import type { Programs } from './programs.mts';

interface Store {
	/** the address, for n8n */
	environment: Record<string, string>;
	/** runs a command of Redis; returns its reply */
	run: (...command: string[]) => string;
}

export type Redis = Server & Store;

/** Starts a Redis of its own, which saves its data when it is stopped. */
export async function startRedis(programs: Programs, folder: string): Promise<Redis> {
	await mkdir(folder, { recursive: true });
	const port = await freePort();
	const password = randomBytes(12).toString('hex');
	const run = (...command: string[]) => {
		const args = ['-p', String(port), ...command];
		const env = { ...process.env, REDISCLI_AUTH: password };
		const client = join(dirname(programs.redis), 'redis-cli');
		return spawnSync(client, args, { env, encoding: 'utf8' }).stdout ?? '';
	};
	const server = createServer({
		command: programs.redis,
		args: ['-'],
		port,
		cwd: folder,
		logFile: join(folder, 'redis.log'),
		stopSignal: 'SIGTERM',
		// From standard input, where no other account can read the password.
		input: [
			`port ${port}`,
			'bind 127.0.0.1',
			`requirepass ${password}`,
			'save 3600 1',
			'appendonly no',
		].join('\n'),
		isUp: () => run('ping').includes('PONG'),
	});
	await server.start();
	const environment = {
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(port),
		QUEUE_BULL_REDIS_PASSWORD: password,
	};
	return { ...server, environment, run };
}
