import { readdirSync, readFileSync } from 'node:fs';

/**
 * A process at one moment, together with all that it started: n8n's task runners, PostgreSQL's sessions.
 * @typedef {object} Sample
 * @property {number} memory bytes that no file and no other process shares with it: where a leak shows
 * @property {number} handles open files and sockets
 * @property {number} processes
 */

/**
 * @param {number} pid
 * @returns {Sample} as Linux tells it; zeros if it has ended
 */
export function sampleTree(pid) {
	/** @type {Sample} */
	const sum = { memory: 0, handles: 0, processes: 0 };
	for (const one of [pid, ...descendantsOf(pid)]) {
		try {
			const status = readFileSync(`/proc/${one}/status`, 'latin1');
			sum.handles += readdirSync(`/proc/${one}/fd`).length;
			sum.memory += Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
			sum.processes++;
		} catch {
			// It has ended meanwhile.
		}
	}
	return sum;
}

/** @param {number} root @returns {number[]} */
function descendantsOf(root) {
	/** @type {Map<number, number[]>} */
	const children = new Map();
	for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
		const parent = parentOf(pid);
		children.set(parent, [...(children.get(parent) ?? []), Number(pid)]);
	}
	const found = [...(children.get(root) ?? [])];
	// The list grows while it is walked.
	for (const pid of found) found.push(...(children.get(pid) ?? []));
	return found;
}

/** @param {string} pid */
function parentOf(pid) {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
		// The second field is the program's name in brackets, with spaces at times.
		return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
	} catch {
		return -1;
	}
}
