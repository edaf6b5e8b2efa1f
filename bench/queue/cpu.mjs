// Processor time as Linux tells it, by the role of the process.
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, on every machine. */
const ticks = 100;

/**
 * @typedef {object} Roles
 * @property {number[]} main process ids
 * @property {number[]} webhook
 * @property {number[]} workers
 * @property {number[]} postgres its first process: those that it started belong to it
 * @property {number[]} redis
 * @property {number[]} service
 */

/**
 * Seconds of processor time since the processes began; `machine` counts what everything on it used.
 * @typedef {Record<keyof Roles | 'machine', number>} Used
 */

/**
 * @param {Roles} roles
 * @returns {Used}
 */
export function processorTime(roles) {
	const seconds = (/** @type {number[]} */ pids) =>
		pids.reduce((sum, pid) => sum + secondsOf(pid), 0);
	return {
		main: seconds(roles.main),
		webhook: seconds(roles.webhook),
		workers: seconds(roles.workers),
		postgres: seconds(roles.postgres.flatMap((pid) => [pid, ...childrenOf(pid)])),
		redis: seconds(roles.redis),
		service: seconds(roles.service),
		machine: machineSeconds(),
	};
}

/**
 * @param {Used} before
 * @param {Used} after
 * @returns {Used}
 */
export function usedBetween(before, after) {
	const names = /** @type {(keyof Used)[]} */ (Object.keys(before));
	return /** @type {Used} */ (
		Object.fromEntries(names.map((name) => [name, after[name] - before[name]]))
	);
}

/**
 * @param {number} pid
 * @returns {string[]} nothing if it has ended, as PostgreSQL's helpers do at times
 */
function fieldsOf(pid) {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
		// The second field is the program's name in brackets, with spaces at times.
		return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	} catch {
		return [];
	}
}

/** @param {number} pid */
function secondsOf(pid) {
	const fields = fieldsOf(pid);
	return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticks;
}

/** @param {number} parent */
function childrenOf(parent) {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.map(Number)
		.filter((pid) => Number(fieldsOf(pid)[1]) === parent);
}

function machineSeconds() {
	const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n');
	const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line
		.trim()
		.split(/\s+/)
		.slice(1)
		.map(Number);
	return (user + nice + system + irq + softirq) / ticks;
}
