import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import getPort from 'get-port';

import type { Programs } from './programs.mts';
import { createServer, type Server } from './server.mts';

export interface Redis extends Server {
	/** n8n's settings that have its address. */
	environment: Record<string, string>;
	/**
	 * Runs a command of Redis.
	 *
	 * @returns its reply
	 */
	run: (...command: string[]) => string;
}

/** Starts a Redis that saves its data when it is stopped. */
export async function startRedis(programs: Programs, folder: string): Promise<Redis> {
	await mkdir(folder, { recursive: true });
	const port = await getPort();
	const password = randomBytes(12).toString('hex');
	const run = (...command: string[]) => {
		const args = ['-p', String(port), ...command];
		const env = { ...process.env, REDISCLI_AUTH: password };
		const client = path.join(path.dirname(programs.redis), 'redis-cli');
		return spawnSync(client, args, { env, encoding: 'utf8' }).stdout ?? '';
	};
	const server = createServer({
		command: programs.redis,
		args: ['-'],
		port,
		cwd: folder,
		logFile: path.join(folder, 'redis.log'),
		stopSignal: 'SIGTERM',
		// No other account can read the password from the standard input.
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
