import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../lib/ports.mts';
import { createServer } from './server.mts';
import type { Server } from './server.mts';
import type { Programs } from './programs.mts';

const execute = promisify(execFile);
const name = 'n8n';

interface Database {
	/** the address, for n8n */
	environment: Record<string, string>;
	/** the rows of a SELECT */
	query: (sql: string) => Promise<any[]>;
	/** ends it and deletes its folder */
	remove: () => Promise<void>;
}

export type Postgres = Server & Database;

/**
 * Creates and starts a PostgreSQL of its own.
 * @param folder must not exist yet
 */
export async function startPostgres(programs: Programs, folder: string): Promise<Postgres> {
	const account = unprivilegedAccount();
	const data = join(folder, 'data');
	const passwordFile = join(folder, 'password');
	const password = randomBytes(12).toString('hex');
	for (const path of [folder, data]) await mkdir(path, { mode: 0o700 });
	await writeFile(passwordFile, password, { mode: 0o600 });
	for (const path of [folder, data, passwordFile]) {
		if (account) await chown(path, account.uid, account.gid);
	}
	execFileSync(
		join(programs.postgres, 'initdb'),
		[
			...['-D', data, '-U', name, '-E', 'UTF8', '--locale=C', '-A', 'scram-sha-256'],
			`--pwfile=${passwordFile}`,
		],
		{ ...account, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
	);
	await rm(passwordFile);

	const port = await freePort();
	const address = ['-h', '127.0.0.1', '-p', String(port)];
	const isReady = join(programs.postgres, 'pg_isready');
	const server = createServer({
		command: join(programs.postgres, 'postgres'),
		args: ['-D', data, ...address, '-k', ''],
		port,
		cwd: folder,
		logFile: join(folder, 'postgres.log'),
		// Its "fast" shutdown: ends sessions, keeps what was committed.
		stopSignal: 'SIGINT',
		account,
		isUp: () => spawnSync(isReady, ['-q', ...address]).status === 0,
	});
	await server.start();
	const psql = async (database: string, sql: string) => {
		const args = [...address, '-U', name, '-d', database];
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

/**
 * PostgreSQL refuses to run as root: root starts it as the account that its package creates.
 * @returns nothing where this process may run it itself
 */
export function unprivilegedAccount(): { uid: number; gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	for (const name of ['postgres', 'nobody']) {
		const ids = ['-u', '-g'].map((which) => spawnSync('id', [which, name], { encoding: 'utf8' }));
		const [uid, gid] = ids.map(({ stdout }) => Number(stdout || NaN));
		if (uid && gid) return { uid, gid };
	}
	return undefined;
}
