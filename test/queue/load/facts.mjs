import { isMixedUp, readContents } from './content.mjs';
import { startsByExecution } from './executions.mjs';

/**
 * What a run came to. Each list names what must not be, and is empty where all is well.
 * @typedef {object} Facts
 * @property {number} accepted uploads that the form accepted
 * @property {number} executions
 * @property {Record<string, number>} statuses how many executions ended how
 * @property {string[]} lost recordings that were accepted, and have no execution
 * @property {string[]} doubled recordings with more executions than one
 * @property {string[]} startedAgain executions that were begun more often than once
 * @property {string[]} paidTwice calls that the service got more often than n8n began their execution
 * @property {string[]} reportedOnly executions that ended well without their two calls
 * @property {import('./content.mjs').Content[]} mixedUp executions that ended well with what is another's
 * @property {number} calls that the service got
 * @property {number[]} byWorker executions that each worker began
 */

/**
 * @param {object} run
 * @param {import('../../../hosts/queue/cluster.mjs').Cluster} run.cluster
 * @param {import('./service.mjs').Service} run.service
 * @param {import('./submit.mjs').Submission[]} run.submissions
 * @param {import('./executions.mjs').Row[]} run.rows
 * @returns {Promise<Facts>}
 */
export async function factsOf({ cluster, service, submissions, rows }) {
	const calls = await service.calls();
	const starts = await startsByExecution(cluster);
	const accepted = submissions.filter((one) => one.accepted).map(({ recording }) => recording);
	const executions = groupBy(rows, ({ recording }) => recording);
	const made = groupBy(calls, (call) => `${call.recording} ${call.operation}`);
	const startsOf = (/** @type {import('./executions.mjs').Row} */ row) =>
		starts.get(row.id)?.length ?? 0;
	const answered = (/** @type {string} */ recording, /** @type {string} */ operation) =>
		made.get(`${recording} ${operation}`)?.some(({ status }) => status === 200);
	const succeeded = rows.filter(({ status }) => status === 'success');
	const contents = await readContents(
		cluster.rest,
		succeeded.map(({ id }) => id),
	);
	return {
		accepted: accepted.length,
		executions: rows.length,
		statuses: count(rows.map(({ status }) => status)),
		lost: accepted.filter((recording) => !executions.has(recording)),
		doubled: [...executions].filter(([, all]) => all.length > 1).map(([recording]) => recording),
		startedAgain: rows.filter((row) => startsOf(row) > 1).map(({ id }) => id),
		paidTwice: [...made]
			.filter(([key, all]) => {
				const own = executions.get(key.split(' ')[0] ?? '') ?? [];
				return all.length > own.reduce((sum, row) => sum + startsOf(row), 0);
			})
			.map(([key]) => key),
		reportedOnly: succeeded
			.filter(
				({ recording }) =>
					!answered(recording, 'speech-to-text') || !answered(recording, 'text-to-speech'),
			)
			.map(({ id }) => id),
		mixedUp: contents.filter(isMixedUp),
		calls: calls.length,
		byWorker: cluster.workers.map(
			(_, worker) => rows.filter(({ id }) => starts.get(id)?.includes(worker)).length,
		),
	};
}

/**
 * @template T
 * @param {T[]} all
 * @param {(one: T) => string} keyOf
 */
function groupBy(all, keyOf) {
	/** @type {Map<string, T[]>} */
	const groups = new Map();
	for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
	return groups;
}

/** @param {string[]} names */
function count(names) {
	/** @type {Record<string, number>} */
	const counts = {};
	for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
	return counts;
}
