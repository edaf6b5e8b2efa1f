import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../ports.mjs';
import { giveTo, unprivilegedAccount } from './account.mjs';
import { createServer } from './server.mjs';

const execute = promisify(execFile);
const name = 'n8n';

/**
 * @typedef {object} Database
 * @property {Record<string, string>} environment how n8n finds it
 * @property {(sql: string) => Promise<any[]>} query the rows of a SELECT
 * @property {() => Promise<void>} remove ends it and deletes its folder
 */

/** @typedef {import('./server.mjs').Server & Database} Postgres */

/**
 * Makes and starts a PostgreSQL of its own.
 * @param {import('./programs.mjs').Programs} programs
 * @param {string} folder must not be there yet
 * @param {Record<string, string>} [mark] for its environment
 * @returns {Promise<Postgres>}
 */
export async function startPostgres(programs, folder, mark) {
	const account = unprivilegedAccount();
	await mkdir(folder, { mode: 0o700 });
	const data = join(folder, 'data');
	const passwordFile = join(folder, 'password');
	const password = randomBytes(12).toString('hex');
	await giveTo(folder, account);
	await mkdir(data, { mode: 0o700 });
	await giveTo(data, account);
	await writeFile(passwordFile, password, { mode: 0o600 });
	await giveTo(passwordFile, account);
	execFileSync(
		join(programs.postgres, 'initdb'),
		['-D', data, '-U', name, '-E', 'UTF8', '--locale=C', '-A', 'scram-sha-256'].concat([
			`--pwfile=${passwordFile}`,
		]),
		{ ...account, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
	);
	await rm(passwordFile);

	const port = await freePort();
	const server = createServer({
		command: join(programs.postgres, 'postgres'),
		args: ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', ''],
		port,
		cwd: folder,
		environment: mark,
		logFile: join(folder, 'postgres.log'),
		// Its "fast" end: sessions are cut off, what was committed is safe.
		stopSignal: 'SIGINT',
		account,
		isUp: () =>
			spawnSync(join(programs.postgres, 'pg_isready'), [
				'-q',
				'-h',
				'127.0.0.1',
				'-p',
				String(port),
			]).status === 0,
	});
	await server.start();
	const psql = async (/** @type {string} */ database, /** @type {string} */ sql) => {
		const args = ['-h', '127.0.0.1', '-p', String(port), '-U', name, '-d', database];
		const env = { ...process.env, PGPASSWORD: password };
		const options = { env, cwd: tmpdir(), maxBuffer: 1024 ** 3 };
		const { stdout } = await execute(
			join(programs.postgres, 'psql'),
			[...args, '-XAt', '-v', 'ON_ERROR_STOP=1', '-c', sql],
			options,
		);
		return stdout;
	};
	await psql('postgres', `CREATE DATABASE ${name}`);
	return {
		...server,
		environment: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: name,
			DB_POSTGRESDB_USER: name,
			DB_POSTGRESDB_PASSWORD: password,
		},
		query: async (sql) =>
			JSON.parse(await psql(name, `SELECT coalesce(json_agg(rows), '[]') FROM (${sql}) AS rows`)),
		async remove() {
			await server.stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}
