import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import getPort from 'get-port';

import { createServer } from './server.mts';

/**
 * Starts a Redis that saves its data when it is stopped. Returns it with n8n's settings that have its address.
 *
 * @param command path of redis-server
 */
export async function startRedis(command: string, folder: string) {
	await mkdir(folder, { recursive: true });
	const port = await getPort();
	const password = randomBytes(12).toString('hex');
	const isUp = () => {
		const env = { ...process.env, REDISCLI_AUTH: password };
		const client = path.join(path.dirname(command), 'redis-cli');
		const { stdout } = spawnSync(client, ['-p', String(port), 'ping'], { env, encoding: 'utf8' });
		return stdout.includes('PONG');
	};
	const server = createServer({
		command,
		args: ['-'],
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
		isUp,
	});
	await server.start();
	const environment = {
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(port),
		QUEUE_BULL_REDIS_PASSWORD: password,
	};
	return { ...server, environment };
}
