// Finds Redis and PostgreSQL on this machine, or installs Debian's packages.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { Problem } from '../problem.mjs';

/**
 * @typedef {object} Programs
 * @property {string} redis path of redis-server
 * @property {string} postgres folder of PostgreSQL's programs
 */

/** Debian keeps PostgreSQL's server programs out of the PATH, in a folder for each version. */
const debian = '/usr/lib/postgresql';

/**
 * @param {object} [options]
 * @param {(step: string, usually: string) => void} [options.onStep] called before each long step
 * @returns {Promise<Programs>}
 * @throws {Problem} when they are missing and cannot be installed from here
 */
export async function findPrograms({ onStep = () => {} } = {}) {
	if (missing().length > 0 && process.getuid?.() === 0 && find('apt-get')) {
		onStep(`Installing ${missing().join(' and ')}`, 'half a minute');
		install(missing());
	}
	const [redis, initdb] = [find('redis-server'), find('initdb')];
	if (redis && initdb) return { redis, postgres: dirname(initdb) };
	throw new Problem(
		`Queue mode needs ${missing().join(' and ')}, which this machine does not have: install it (on Debian and Ubuntu "apt-get install ${missing().join(' ')}"), then run it again. It does not have to be running.`,
	);
}

/** @returns {string[]} Debian's names */
function missing() {
	const packages = { 'redis-server': 'redis-server', initdb: 'postgresql' };
	return Object.entries(packages).flatMap(([program, name]) => (find(program) ? [] : [name]));
}

/** @param {string} program */
function find(program) {
	const versions = existsSync(debian) ? readdirSync(debian) : [];
	const newest = versions.sort((a, b) => Number(b) - Number(a));
	return [
		...newest.map((version) => join(debian, version, 'bin')),
		...[...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin'],
	]
		.map((folder) => join(folder, program))
		.find((path) => existsSync(path));
}

/** @param {string[]} packages */
function install(packages) {
	// Run level 1: Debian does not start them. (If it still does, they use other ports and folders.)
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
	const run = (/** @type {string[]} */ ...args) => spawnSync('apt-get', args, { env }).status === 0;
	const add = () => run('install', '-y', '-qq', '--no-install-recommends', ...packages);
	if (!add() && run('update', '-qq')) add();
}
