import { finishedExecution } from '../../hosts/executions.mjs';
import { endedRows } from '../../test/queue/load/executions.mjs';
import { submitRecordings } from '../../test/queue/load/submit.mjs';
import { processorTime, usedBetween } from './cpu.mjs';

/** @typedef {import('../../hosts/queue/cluster.mjs').Cluster} Cluster */
/** @typedef {import('../../test/queue/load/service.mjs').Service} Service */

/** Where n8n's jobs are in Redis. */
const queue = 'bull:jobs';

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
 * Fills the queue while it is paused, lets the workers go and measures how fast they empty it: what the
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
	const empty = look();
	let full = empty;
	let from = 0;
	// As Bull, n8n's queue, does it: while this key is there, what comes in goes to another list.
	cluster.redis.run('set', `${queue}:meta-paused`, '1');
	try {
		const submissions = await submitRecordings(formUrl, { run, count });
		const refused = submissions.find(({ accepted }) => !accepted);
		if (refused) throw new Error(`An upload was refused: ${refused.answer}`);
	} finally {
		full = look();
		from = Date.now();
		cluster.redis.run('del', `${queue}:meta-paused`);
		cluster.redis.run('rename', `${queue}:paused`, `${queue}:wait`);
	}
	const rows = await endedRows(cluster, run, count, 60_000 + count * 10_000);
	const after = look();
	const failed = rows.filter(({ status }) => status !== 'success');
	for (const { id, status } of failed) {
		const { error } = await finishedExecution(cluster.rest, id);
		process.stderr.write(`\nExecution ${id} ended with "${status}": ${error}\n`);
	}
	// An overloaded machine loses one now and then; more would be no measure any more.
	if (failed.length > count / 10) throw new Error(`${failed.length} of ${count} executions failed`);

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
