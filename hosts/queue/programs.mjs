// Finds the Redis and the PostgreSQL that the machine has, or asks Debian for them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { Problem } from '../problem.mjs';

/**
 * @typedef {object} Programs
 * @property {string} redis path of redis-server
 * @property {string} postgres folder of PostgreSQL's programs
 */

const debian = '/usr/lib/postgresql';

/**
 * @param {object} [options]
 * @param {(step: string, usually: string) => void} [options.onStep] called before each long step
 * @returns {Promise<Programs>}
 * @throws {Problem} when they are missing and can't be installed from here
 */
export async function findPrograms({ onStep = () => {} } = {}) {
	let found = await look();
	if (found.missing.length > 0 && process.getuid?.() === 0 && inPath('apt-get')) {
		onStep(`Installing ${found.missing.join(' and ')}`, 'half a minute');
		install(found.missing);
		found = await look();
	}
	const { redis, postgres, missing } = found;
	if (!redis || !postgres) {
		throw new Problem(
			`Queue mode needs ${missing.join(' and ')}, which this machine lacks: install it (on Debian and Ubuntu "apt-get install ${missing.join(' ')}"), then run it again; nothing of it need be running.`,
		);
	}
	return { redis, postgres };
}

async function look() {
	const redis = inPath('redis-server');
	const postgres = await postgresFolder();
	/** @type {string[]} */
	const missing = [];
	if (!redis) missing.push('redis-server');
	if (!postgres) missing.push('postgresql');
	return { redis, postgres, missing };
}

/** Debian keeps PostgreSQL's server programs out of the PATH, in a folder for each version. */
async function postgresFolder() {
	const versions = await readdir(debian).catch(() => []);
	const newest = versions.sort((a, b) => Number(b) - Number(a));
	const folders = newest.map((version) => join(debian, version, 'bin'));
	const known = folders.find((folder) => existsSync(join(folder, 'initdb')));
	return known ?? inPath('initdb')?.replace(/[/\\]initdb$/, '');
}

/** @param {string} program */
function inPath(program) {
	const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin'];
	return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/** @param {string[]} packages */
function install(packages) {
	const env = {
		...process.env,
		DEBIAN_FRONTEND: 'noninteractive',
		// So that Debian starts none of its own; where it does all the same, it is on other ports and folders.
		RUNLEVEL: '1',
	};
	const run = (/** @type {string[]} */ ...args) => spawnSync('apt-get', args, { env }).status === 0;
	const add = () => run('install', '-y', '-qq', '--no-install-recommends', ...packages);
	if (!add() && run('update', '-qq')) add();
}
