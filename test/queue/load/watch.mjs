import { readdirSync, readFileSync } from 'node:fs';

/**
 * A process with all its descendants (n8n's task runners, PostgreSQL's sessions) at one moment.
 * @typedef {object} Sample
 * @property {number} memory bytes of anonymous memory (RssAnon)
 * @property {number} handles open files and sockets
 * @property {number} processes
 */

/**
 * Samples processes at an interval.
 * @param {Record<string, number>} processes process ids by name
 * @param {number} [everyMs]
 * @returns {{stop: () => Map<string, Sample[]>}}
 */
export function watchProcesses(processes, everyMs = 1_000) {
	/** @type {Map<string, Sample[]>} */
	const samples = new Map(Object.keys(processes).map((name) => [name, []]));
	const look = () => {
		for (const [name, sample] of sampleAll(processes)) samples.get(name)?.push(sample);
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

/**
 * @param {Record<string, number>} processes process ids by name
 * @returns {Map<string, Sample>} by name
 */
export function sampleAll(processes) {
	return new Map(Object.entries(processes).map(([name, pid]) => [name, sampleTree(pid)]));
}

/**
 * The median of each third of the time: garbage collection makes single samples vary. In the first third caches fill and
 * the compiler works; a leak shows from the middle third to the last.
 * @param {Sample[]} samples
 * @returns {{first: Sample, middle: Sample, last: Sample}}
 */
export function thirds(samples) {
	const third = Math.floor(samples.length / 3);
	return {
		first: usual(samples.slice(0, third)),
		middle: usual(samples.slice(third, 2 * third)),
		last: usual(samples.slice(2 * third)),
	};
}

/** @param {Sample[]} samples @returns {Sample} */
function usual(samples) {
	const of = (/** @type {keyof Sample} */ what) => median(samples.map((one) => one[what]));
	return { memory: of('memory'), handles: of('handles'), processes: of('processes') };
}

/** @param {number[]} values */
function median(values) {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/**
 * @param {number} pid
 * @returns {Sample} from /proc; zeros if it has ended
 */
function sampleTree(pid) {
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

/** @param {number} pid @returns {number[]} */
function descendantsOf(pid) {
	try {
		// Linux lists the children of each thread.
		const children = readdirSync(`/proc/${pid}/task`)
			.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1'))
			.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
		return [...children, ...children.flatMap(descendantsOf)];
	} catch {
		// It has ended meanwhile.
		return [];
	}
}
