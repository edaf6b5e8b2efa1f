import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { UserFacingError } from '../../../dev/lib/errors.mts';

export type Programs = ReturnType<typeof findPrograms>;

/** Debian keeps PostgreSQL's server programs out of the PATH, in a folder for each version. */
const debianFolder = '/usr/lib/postgresql';

/**
 * Finds the servers that n8n's queue mode needs.
 *
 * @returns the path of redis-server, and the folder of PostgreSQL's programs
 * @throws {UserFacingError} if this machine lacks one of them
 */
export function findPrograms() {
	const redis = findProgram('redis-server');
	const initdb = findProgram('initdb');
	if (redis && initdb) return { redis, postgres: path.dirname(initdb) };
	throw new UserFacingError(
		'Queue mode needs Redis and PostgreSQL, and this machine lacks one of them: install both (on Debian and Ubuntu "apt-get install redis-server postgresql"), then run it again. They do not have to be running.',
	);
}

function findProgram(name: string): string | undefined {
	const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
	const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
	const folders = [
		...newestFirst.map((version) => path.join(debianFolder, version, 'bin')),
		...(process.env.PATH ?? '').split(path.delimiter),
	];
	return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}
