import { sampleTree } from './process-tree.mjs';

/** @typedef {import('./process-tree.mjs').Sample} Sample */

/**
 * Looks at processes from time to time.
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
 * What was usual in each third of the time: medians, because the collector of garbage comes and goes. In the
 * first third caches fill and the compiler works; a leak shows from the middle third to the last.
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
