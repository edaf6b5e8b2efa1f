import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { freePort } from '../ports.mjs';
import { createServer } from './server.mjs';

/**
 * @typedef {object} Store
 * @property {Record<string, string>} environment how n8n finds it
 * @property {(...command: string[]) => string} run a command of Redis; returns what it answered
 */

/** @typedef {import('./server.mjs').Server & Store} Redis */

/**
 * Starts a Redis of its own, which saves what it holds when it is told to end.
 * @param {import('./programs.mjs').Programs} programs
 * @param {string} folder
 * @param {Record<string, string>} [mark] for its environment
 * @returns {Promise<Redis>}
 */
export async function startRedis(programs, folder, mark) {
	await mkdir(folder, { recursive: true });
	const port = await freePort();
	const password = randomBytes(12).toString('hex');
	const run = (/** @type {string[]} */ ...command) => {
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
		environment: mark,
		logFile: join(folder, 'redis.log'),
		stopSignal: 'SIGTERM',
		// Through its standard input, where no other account reads the password.
		input: [
			`port ${port}`,
			'bind 127.0.0.1',
			`requirepass ${password}`,
			'save 3600 1',
			'appendonly no',
			// Its title would overwrite the environment, by which it is known.
			'set-proc-title no',
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
