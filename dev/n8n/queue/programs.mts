// Finds Redis and PostgreSQL on this machine.
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { Problem } from '../../lib/problem.mts';

export interface Programs {
	/** path of redis-server */
	redis: string;
	/** folder of PostgreSQL's programs */
	postgres: string;
}

/** Debian keeps PostgreSQL's server programs out of the PATH, in a folder for each version. */
const debian = '/usr/lib/postgresql';

/** @throws {Problem} when one of them is missing */
export function findPrograms(): Programs {
	const [redis, initdb] = [find('redis-server'), find('initdb')];
	if (redis && initdb) return { redis, postgres: dirname(initdb) };
	throw new Problem(
		'Queue mode needs Redis and PostgreSQL, and this machine lacks one of them: install both (on Debian and Ubuntu "apt-get install redis-server postgresql"), then run it again. They do not have to be running.',
	);
}

function find(program: string) {
	const versions = existsSync(debian) ? readdirSync(debian) : [];
	const newest = versions.sort((a, b) => Number(b) - Number(a));
	return [
		...newest.map((version) => join(debian, version, 'bin')),
		...[...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin'],
	]
		.map((folder) => join(folder, program))
		.find((path) => existsSync(path));
}
