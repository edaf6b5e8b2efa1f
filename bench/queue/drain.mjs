import { endedRows } from '../../test/queue/load/executions.mjs';
import { submitRecordings } from '../../test/queue/load/submit.mjs';
import { processorTime, usedBetween } from './cpu.mjs';

/** @typedef {import('../../hosts/queue/cluster.mjs').Cluster} Cluster */
/** @typedef {import('../../test/queue/load/service.mjs').Service} Service */

/**
 * @typedef {object} Drain
 * @property {number} workers
 * @property {number} count executions
 * @property {number} perSecond executions that ended in a second, without the first and the last tenth
 * @property {number} seconds from the moment the workers were let go to the last end
 * @property {import('./cpu.mjs').Used} used processor time in that span
 * @property {import('./cpu.mjs').Used} accepting processor time while the uploads were taken in
 */

/**
 * Fills the queue while the workers are held, lets them go and measures how fast they empty it: what the
 * workers can do, whatever takes the uploads in.
 * @param {Cluster} cluster
 * @param {Service} service
 * @param {{formUrl: string, run: string, count: number}} load
 * @returns {Promise<Drain>}
 */
export async function drain(cluster, service, { formUrl, run, count }) {
	const pids = cluster.workers.map(({ pid }) => pid);
	const look = () =>
		processorTime({
			main: [cluster.main.pid],
			webhook: [cluster.webhook.pid],
			workers: pids,
			postgres: [cluster.postgres.pid()],
			redis: [cluster.redis.pid()],
			service: [service.pid],
		});
	const all = (/** @type {NodeJS.Signals} */ signal) => {
		for (const pid of pids) process.kill(pid, signal);
	};
	const empty = look();
	all('SIGSTOP');
	try {
		const submissions = await submitRecordings(formUrl, { run, count });
		const refused = submissions.find(({ accepted }) => !accepted);
		if (refused) throw new Error(`An upload was refused: ${refused.answer}`);
	} finally {
		all('SIGCONT');
	}
	const full = look();
	const from = Date.now();
	const rows = await endedRows(cluster, run, count, 60_000 + count * 10_000);
	const after = look();
	const failed = rows.find(({ status }) => status !== 'success');
	if (failed) throw new Error(`Execution ${failed.id} ended with "${failed.status}"`);

	const ids = rows.map(({ id }) => id).join();
	const ends = (
		await cluster.postgres.query(
			`SELECT extract(epoch FROM "stoppedAt") * 1000 AS at FROM execution_entity
				WHERE id IN (${ids}) ORDER BY "stoppedAt"`,
		)
	).map(({ at }) => Number(at));
	const [first, last] = [Math.floor(count * 0.1), Math.floor(count * 0.9)];
	return {
		workers: pids.length,
		count,
		perSecond: ((last - first) * 1_000) / ((ends[last] ?? NaN) - (ends[first] ?? NaN)),
		seconds: ((ends.at(-1) ?? NaN) - from) / 1_000,
		used: usedBetween(full, after),
		accepting: usedBetween(empty, full),
	};
}
