import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import getPort from 'get-port';

import { createServer, type Account } from './server.mts';

const execute = promisify(execFile);
const name = 'n8n';

export type Postgres = Awaited<ReturnType<typeof startPostgres>>;

/**
 * Creates and starts a PostgreSQL.
 *
 * @param programs the folder of its programs
 * @param folder for its data; must not exist yet
 */
export async function startPostgres(programs: string, folder: string) {
	const account = findUnprivilegedAccount();
	const data = path.join(folder, 'data');
	const passwordFile = path.join(folder, 'password');
	const password = randomBytes(12).toString('hex');
	for (const created of [folder, data]) await mkdir(created, { mode: 0o700 });
	await writeFile(passwordFile, password, { mode: 0o600 });
	for (const owned of [folder, data, passwordFile]) {
		if (account) await chown(owned, account.uid, account.gid);
	}
	const encoding = ['--encoding=UTF8', '--locale=C'];
	const access = [`--username=${name}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
	execFileSync(path.join(programs, 'initdb'), ['-D', data, ...encoding, ...access], {
		...account,
		cwd: folder,
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	await rm(passwordFile);

	const port = await getPort();
	const address = ['-h', '127.0.0.1', '-p', String(port)];
	const isReady = path.join(programs, 'pg_isready');
	const server = createServer({
		command: path.join(programs, 'postgres'),
		args: ['-D', data, ...address, '-k', ''],
		cwd: folder,
		logFile: path.join(folder, 'postgres.log'),
		// It ends the sessions and keeps what was committed.
		stopSignal: 'SIGINT',
		account,
		isUp: () => spawnSync(isReady, ['-q', ...address]).status === 0,
	});
	await server.start();
	const psql = async (database: string, sql: string) => {
		const format = ['-XAt', '-v', 'ON_ERROR_STOP=1'];
		const args = [...address, '-U', name, '-d', database, ...format, '-c', sql];
		const { stdout } = await execute(path.join(programs, 'psql'), args, {
			env: { ...process.env, PGPASSWORD: password },
			cwd: tmpdir(),
			maxBuffer: 1024 ** 3,
		});
		return stdout;
	};
	await psql('postgres', `CREATE DATABASE ${name}`);
	return {
		...server,
		/** n8n's settings that have its address. */
		environment: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: name,
			DB_POSTGRESDB_USER: name,
			DB_POSTGRESDB_PASSWORD: password,
		},
		/** Runs statements in n8n's database, and returns what psql prints. */
		run: async (sql: string) => await psql(name, sql),
		/** Ends it and deletes its folder. */
		async remove() {
			await server.stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/**
 * PostgreSQL refuses to run as root. Root starts it as the account that its package creates.
 *
 * @returns undefined if this process may run it itself
 */
export function findUnprivilegedAccount(): Account | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const readId = (which: string) =>
		Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }));
	return { uid: readId('-u'), gid: readId('-g') };
}
