import { readdirSync, readFileSync } from 'node:fs';

/**
 * A process at one moment.
 * @typedef {{at: number, resident: number, handles: number}} Sample memory in bytes, open files and sockets
 */

/**
 * Looks at processes from time to time, with what Linux tells of them.
 * @param {Record<string, number>} processes process ids by name
 * @param {number} [everyMs]
 * @returns {{stop: () => Map<string, Sample[]>}}
 */
export function watchProcesses(processes, everyMs = 1_000) {
	/** @type {Map<string, Sample[]>} */
	const samples = new Map(Object.keys(processes).map((name) => [name, []]));
	const look = () => {
		for (const [name, pid] of Object.entries(processes)) samples.get(name)?.push(sample(pid));
	};
	look();
	const timer = setInterval(look, everyMs);
	return {
		stop() {
			clearInterval(timer);
			return samples;
		},
	};
}

/** @param {number} pid @returns {Sample} */
function sample(pid) {
	const status = readFileSync(`/proc/${pid}/status`, 'latin1');
	const resident = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024;
	return { at: Date.now(), resident, handles: readdirSync(`/proc/${pid}/fd`).length };
}

/**
 * How much a process grew from the middle third of the time to the last one. The first third is left out:
 * caches fill and the compiler works. Medians, because the collector of garbage comes and goes.
 * @param {Sample[]} samples
 * @returns {{resident: number, level: number, handles: number}} growth of the memory in bytes, the level it
 *   grew from, and growth of the open files and sockets
 */
export function growth(samples) {
	const third = Math.floor(samples.length / 3);
	const middle = samples.slice(third, 2 * third);
	const last = samples.slice(2 * third);
	const between = (/** @type {'resident' | 'handles'} */ what) =>
		median(last.map((one) => one[what])) - median(middle.map((one) => one[what]));
	return {
		resident: between('resident'),
		level: median(middle.map(({ resident }) => resident)),
		handles: between('handles'),
	};
}

/** @param {number[]} values */
function median(values) {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
