// Runs several candidates with the same work, in turns, so that other programs on the machine disturb them alike.

/**
 * One run of a candidate.
 * @typedef {object} Run
 * @property {number} seconds
 * @property {number} [growth] of its process's memory, in bytes
 * @property {number} [cpu] seconds of processor time
 * @property {import('./process.mjs').Trace} [trace] of that growth
 * @property {import('../n8n/executions.mjs').Item[]} [items] output of an n8n node
 */

/**
 * Something that can do the work of a case.
 * @template Load
 * @typedef {object} Candidate
 * @property {string} name
 * @property {() => Promise<void>} [start] before each round: what V8 decides in one process must not decide all runs
 * @property {(load: Load) => Promise<Run>} run
 * @property {() => Promise<void>} [stop]
 */

/**
 * All runs of a candidate.
 * @typedef {object} Row
 * @property {string} name
 * @property {number[]} seconds
 * @property {number[]} growth
 * @property {number[]} cpu
 * @property {import('./process.mjs').Trace} [trace] of the run in which memory grew most, for the plot
 * @property {import('./server.mjs').Counts[]} counts of the server, for each run
 */

/**
 * @template Load
 * @param {import('./candidates.mjs').Bench} bench
 * @param {object} work
 * @param {Candidate<Load>[]} work.candidates
 * @param {Load} work.warmUp a small load: what it loads, and what first use costs, is not measured
 * @param {Load} work.load
 * @param {number} [work.repeat]
 * @param {(load: Load) => number} [work.speechBytes] size of the speech that the server returns
 * @param {(run: Run, load: Load, counts: import('./server.mjs').Counts) => void} [work.check]
 *   throws if anything is missing
 * @returns {Promise<Row[]>}
 */
export async function compare({ service, options, onStep }, work) {
	const { candidates, warmUp, load, repeat = options.repeat, speechBytes, check } = work;
	const all = candidates.map((candidate) => {
		/** @type {Row} */
		const row = { name: candidate.name, seconds: [], growth: [], cpu: [], counts: [] };
		return { candidate, row };
	});
	/** @param {Candidate<Load>} candidate @param {Load} amount @param {boolean} hash */
	const runOnce = async (candidate, amount, hash) => {
		await service.takeCounts({ hash, speechBytes: speechBytes?.(amount) });
		const run = await candidate.run(amount);
		const counts = await service.takeCounts();
		check?.(run, amount, counts);
		return { ...run, counts };
	};
	for (let round = 1; round <= repeat; round++) {
		try {
			onStep(`round ${round} of ${repeat}: starting`);
			// All of them settle before one fails: `stop` must find what has started.
			const starts = candidates.map(async (candidate) => await candidate.start?.());
			await Promise.allSettled(starts);
			await Promise.all(starts);
			for (const candidate of candidates) {
				onStep(`${candidate.name}: warming up`);
				await runOnce(candidate, warmUp, true);
			}
			for (const { candidate, row } of all) {
				onStep(`${candidate.name}: run ${round} of ${repeat}`);
				const { seconds, growth, cpu, trace, counts } = await runOnce(candidate, load, false);
				row.seconds.push(seconds);
				row.counts.push(counts);
				if (cpu !== undefined) row.cpu.push(cpu);
				if (growth === undefined) continue;
				if (growth > Math.max(-Infinity, ...row.growth)) row.trace = trace;
				row.growth.push(growth);
			}
		} finally {
			await Promise.all(candidates.map(async (candidate) => await candidate.stop?.()));
		}
	}
	return all.map(({ row }) => row);
}

/**
 * @param {Run} run of a load of items
 * @param {number} count of them
 * @param {import('./server.mjs').Counts} counts
 * @throws if an item was not sent, or has no output
 */
export function checkItems({ items }, count, { calls }) {
	if (calls !== count || items?.length !== count) {
		throw new Error(`Items are missing: ${calls} calls for ${count} items`);
	}
}
