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
 * @property {() => Promise<void>} [start]
 * @property {(load: Load) => Promise<Run>} run
 * @property {() => Promise<void>} [cleanUp] called after each run
 * @property {() => Promise<void>} [stop]
 */

/**
 * All runs of a candidate.
 * @typedef {object} Row
 * @property {string} name
 * @property {number[]} seconds
 * @property {number[]} growth
 * @property {number[]} cpu
 * @property {import('./process.mjs').Trace} [trace] of the run in which memory grew most
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
 * @param {(run: Run, load: Load, counts: import('./server.mjs').Counts) => void} work.check throws if anything is missing
 * @returns {Promise<Row[]>}
 */
export async function compare({ service, options, onStep }, work) {
	const { candidates, warmUp, load, repeat = options.repeat, check } = work;
	/** @type {Row[]} */
	const rows = [];
	/** @param {Candidate<Load>} candidate @param {Load} amount @param {boolean} hash */
	const runOnce = async (candidate, amount, hash) => {
		await service.takeCounts({ hash });
		const run = await candidate.run(amount);
		const counts = await service.takeCounts({ hash: false });
		check(run, amount, counts);
		await candidate.cleanUp?.();
		return { run, counts };
	};
	try {
		for (const candidate of candidates) {
			onStep(`${candidate.name}: warming up`);
			await candidate.start?.();
			await runOnce(candidate, warmUp, true);
			rows.push({ name: candidate.name, seconds: [], growth: [], cpu: [], counts: [] });
		}
		for (let round = 1; round <= repeat; round++) {
			for (const [index, candidate] of candidates.entries()) {
				onStep(`${candidate.name}: run ${round} of ${repeat}`);
				const { run, counts } = await runOnce(candidate, load, false);
				const row = rows[index];
				row?.seconds.push(run.seconds);
				row?.counts.push(counts);
				if (row && run.growth !== undefined) {
					if (run.growth > Math.max(-Infinity, ...row.growth)) row.trace = run.trace;
					row.growth.push(run.growth);
				}
				if (run.cpu !== undefined) row?.cpu.push(run.cpu);
			}
		}
	} finally {
		for (const candidate of candidates) await candidate.stop?.();
	}
	return rows;
}
