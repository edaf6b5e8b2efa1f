// Lets several candidates do the same, in turns, so that whatever else the machine does meets them alike.

/**
 * What one run of a candidate came to.
 * @typedef {object} Run
 * @property {number} seconds
 * @property {number} [growth] of its process' memory, in bytes
 * @property {number} [cpu] seconds of processor time
 * @property {import('../hosts/executions.mjs').Item[]} [items] what an n8n node put out
 */

/**
 * Something that can do the work of a case.
 * @template Load
 * @typedef {object} Candidate
 * @property {string} name
 * @property {() => Promise<void>} [start]
 * @property {(load: Load) => Promise<Run>} run
 * @property {() => Promise<void>} [rest] tidies up after each run
 * @property {() => Promise<void>} [stop]
 */

/**
 * All runs of a candidate.
 * @typedef {object} Row
 * @property {string} name
 * @property {number[]} seconds
 * @property {number[]} growth
 * @property {number[]} cpu
 * @property {import('./server/tally.mjs').Tally[]} tallies what the server saw of each run
 */

/**
 * @template Load
 * @param {object} options
 * @param {import('./service.mjs').Service} options.service
 * @param {Candidate<Load>[]} options.candidates
 * @param {Load} options.warmUp a small load: what it loads, and what its first use costs, is not measured
 * @param {Load} options.load
 * @param {number} options.repeat
 * @param {(title: string) => void} options.onStep
 * @param {(run: Run, load: Load, tally: import('./server/tally.mjs').Tally) => Promise<void> | void} options.check throws unless everything arrived
 * @returns {Promise<Row[]>}
 */
export async function race(options) {
	const { service, candidates, warmUp, load, repeat, onStep, check } = options;
	/** @type {Row[]} */
	const rows = [];
	try {
		for (const candidate of candidates) {
			onStep(`${candidate.name}: warming up`);
			await candidate.start?.();
			await service.take({ hash: true });
			const run = await candidate.run(warmUp);
			await check(run, warmUp, await service.take({ hash: false }));
			await candidate.rest?.();
			rows.push({ name: candidate.name, seconds: [], growth: [], cpu: [], tallies: [] });
		}
		for (let round = 1; round <= repeat; round++) {
			for (const [place, candidate] of candidates.entries()) {
				onStep(`${candidate.name}: run ${round} of ${repeat}`);
				await service.take();
				const run = await candidate.run(load);
				const tally = await service.take();
				await check(run, load, tally);
				await candidate.rest?.();
				const row = rows[place];
				row?.seconds.push(run.seconds);
				row?.tallies.push(tally);
				if (run.growth !== undefined) row?.growth.push(run.growth);
				if (run.cpu !== undefined) row?.cpu.push(run.cpu);
			}
		}
	} finally {
		for (const candidate of candidates) await candidate.stop?.();
	}
	return rows;
}
