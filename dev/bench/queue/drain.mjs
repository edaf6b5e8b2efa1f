import { finishedExecution } from '../../n8n/executions.mjs';
import { endedRows } from '../../../test/queue/load/executions.mjs';
import { submitRecordings } from '../../../test/queue/load/submit.mjs';
import { processorTime, usedBetween } from './cpu.mjs';

/** @typedef {import('../../n8n/queue/cluster.mjs').Cluster} Cluster */
/** @typedef {import('../../../test/queue/load/service.mjs').Service} Service */

/** Where n8n's jobs are in Redis. */
const queue = 'bull:jobs';

/**
 * How fast the workers emptied the queue.
 * @typedef {object} Drain
 * @property {number} workers
 * @property {number} count executions
 * @property {number} perSecond executions that ended per second, without the first and the last tenth
 * @property {number} seconds from the start of the workers to the end of the last execution
 * @property {import('./cpu.mjs').Used} used processor time in these seconds
 * @property {import('./cpu.mjs').Used} accepting processor time while the uploads were received
 */

/**
 * Fills the queue while it is paused, then measures how fast the workers empty it.
 * @param {Cluster} cluster
 * @param {Service} service
 * @param {{formUrl: string, run: string, count: number}} load
 * @returns {Promise<Drain>}
 * @throws if an upload was refused, or more than a tenth of the executions failed
 */
export async function drain(cluster, service, { formUrl, run, count }) {
	const pids = cluster.workers.map(({ pid }) => pid);
	const usedNow = () =>
		processorTime({
			main: [cluster.main.pid],
			webhook: [cluster.webhook.pid],
			workers: pids,
			postgres: [cluster.postgres.pid()],
			redis: [cluster.redis.pid()],
			service: [service.pid],
		});
	const atStart = usedNow();
	// As Bull, n8n's queue, does it: while this key is set, new jobs go to another list.
	cluster.redis.run('set', `${queue}:meta-paused`, '1');
	const submissions = await submitRecordings(formUrl, { run, count });
	const refused = submissions.find(({ accepted }) => !accepted);
	if (refused) throw new Error(`An upload was refused: ${refused.answer}`);
	const atRelease = usedNow();
	const from = Date.now();
	cluster.redis.run('del', `${queue}:meta-paused`);
	cluster.redis.run('rename', `${queue}:paused`, `${queue}:wait`);
	const rows = await endedRows(cluster, run, count, 60_000 + count * 10_000);
	const atEnd = usedNow();
	const failed = rows.filter(({ status }) => status !== 'success');
	for (const { id, status } of failed) {
		const { error } = await finishedExecution(cluster.rest, id);
		process.stderr.write(`\nExecution ${id} ended with "${status}": ${error}\n`);
	}
	// An overloaded machine loses one now and then; with more, the figures mean nothing.
	if (failed.length > count / 10) throw new Error(`${failed.length} of ${count} executions failed`);

	const ids = rows.map(({ id }) => id).join();
	const ends = await cluster.postgres.query(
		`SELECT extract(epoch FROM "stoppedAt") * 1000 AS at FROM execution_entity
			WHERE id IN (${ids}) ORDER BY "stoppedAt"`,
	);
	const endOf = (/** @type {number} */ index) => Number(ends[index]?.at ?? NaN);
	const [first, last] = [Math.floor(count * 0.1), Math.floor(count * 0.9)];
	return {
		workers: pids.length,
		count,
		perSecond: ((last - first) * 1_000) / (endOf(last) - endOf(first)),
		seconds: (endOf(ends.length - 1) - from) / 1_000,
		used: usedBetween(atRelease, atEnd),
		accepting: usedBetween(atStart, atRelease),
	};
}
