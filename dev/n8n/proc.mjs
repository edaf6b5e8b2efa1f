// What Linux reports of processes in /proc. Elsewhere there is nothing to read.
import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports processor time in hundredths of a second, on every machine (proc(5), USER_HZ). */
const ticksPerSecond = 100;

/** @param {string} path below /proc @returns {string} empty if there is no such process, or no /proc */
function read(path) {
	try {
		return readFileSync(`/proc/${path}`, 'latin1');
	} catch {
		return '';
	}
}

/** @param {number | string} pid @returns {string[]} fields of /proc/<pid>/stat, from the third one, the state */
function statOf(pid) {
	const stat = read(`${pid}/stat`);
	// The second field is the program's name in brackets, and may contain spaces.
	return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** @param {number} pid @returns {number} seconds of processor time since the process started; 0 if it has ended */
export function processorSeconds(pid) {
	const fields = statOf(pid);
	return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond;
}

/** @returns {number} seconds of processor time that all programs used since the machine started */
export function machineSeconds() {
	const [line = ''] = read('stat').split('\n', 1);
	const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line
		.split(/\s+/)
		.map(Number);
	return (user + nice + system + irq + softirq) / ticksPerSecond;
}

/** @param {number} parent @returns {number[]} the processes that it started */
export function childrenOf(parent) {
	const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
	return pids.filter((pid) => Number(statOf(pid)[1]) === parent).map(Number);
}

/** @param {number} root @returns {number[]} the processes that it started, and those that they started */
export function descendantsOf(root) {
	return childrenOf(root).flatMap((pid) => [pid, ...descendantsOf(pid)]);
}

/**
 * @param {number} pid
 * @param {'VmRSS' | 'VmHWM' | 'RssAnon'} field of /proc/<pid>/status
 * @returns {number} bytes; NaN if it cannot be read
 */
export function memoryOf(pid, field) {
	return (
		Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(read(`${pid}/status`))?.[1]) * 1_024
	);
}
