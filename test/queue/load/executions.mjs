import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {import('../../../dev/n8n/queue/cluster.mjs').Cluster} Cluster */

/**
 * An execution as n8n's database has it.
 * @typedef {{id: string, status: string, recording: string}} Row
 */

/**
 * Whose each execution is, from the first look at it on: of one whose worker was killed n8n keeps no data.
 * @type {WeakMap<Cluster, Map<string, string>>}
 */
const seen = new WeakMap();

/**
 * @param {Cluster} cluster
 * @param {string} run
 * @returns {Promise<Row[]>} every execution of the run, in the order in which they came
 */
export async function readRows(cluster, run) {
	// The name of the uploaded file is in the data of every execution, of one that never began, too.
	/** @type {{id: string, status: string, file: string | null}[]} */
	const rows = await cluster.postgres.query(
		`SELECT execution.id::text AS id, status,
				substring(data.data from '[a-z]+-[0-9]+[.]wav') AS file
			FROM execution_entity AS execution
			JOIN execution_data AS data ON data."executionId" = execution.id
			ORDER BY execution.id`,
	);
	const known = seen.get(cluster) ?? new Map();
	seen.set(cluster, known);
	for (const { id, file } of rows) {
		if (file) known.set(id, file.replace(/[.]wav$/, ''));
	}
	return rows
		.map(({ id, status }) => ({ id, status, recording: known.get(id) ?? '' }))
		.filter(({ recording }) => recording.startsWith(`${run}-`));
}

const unfinished = ['new', 'running', 'waiting', 'unknown'];

/**
 * Waits until a run has `count` executions, and all of them have ended.
 * @param {Cluster} cluster
 * @param {string} run
 * @param {number} count
 * @param {number} timeoutMs
 * @returns {Promise<Row[]>} as they are then, or when the time is over: look at their status
 */
export async function endedRows(cluster, run, count, timeoutMs) {
	for (const deadline = Date.now() + timeoutMs; ; await sleep(1_000)) {
		const rows = await readRows(cluster, run);
		const under = rows.filter(({ status }) => unfinished.includes(status));
		if ((rows.length >= count && under.length === 0) || Date.now() > deadline) return rows;
	}
}
