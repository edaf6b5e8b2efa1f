import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {import('../../../hosts/queue/cluster.mjs').Cluster} Cluster */

/**
 * An execution as n8n's database has it.
 * @typedef {{id: string, status: string, recording: string}} Row
 */

/**
 * @param {Cluster} cluster
 * @param {string} run
 * @returns {Promise<Row[]>} every execution of the run, in the order in which they came
 */
export async function readRows(cluster, run) {
	// The name of the uploaded file is in the data of every execution, of one that never began, too.
	const name = `substring(data.data from '${run}-[0-9]+[.]wav')`;
	return await cluster.postgres.query(
		`SELECT execution.id::text, status, replace(${name}, '.wav', '') AS recording
			FROM execution_entity AS execution JOIN execution_data AS data ON data."executionId" = execution.id
			WHERE ${name} IS NOT NULL ORDER BY execution.id`,
	);
}

const unfinished = ['new', 'running', 'waiting', 'unknown'];

/**
 * Waits until so many executions of a run have come and all of them have ended.
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

/**
 * How often each execution was begun, and by which worker, from the workers' own logs.
 * @param {Cluster} cluster
 * @returns {Promise<Map<string, number[]>>} numbers of the workers by execution
 */
export async function startsByExecution(cluster) {
	/** @type {Map<string, number[]>} */
	const starts = new Map();
	for (const [number, { logFile }] of cluster.workers.entries()) {
		const log = await readFile(logFile, 'utf8');
		for (const [, id = ''] of log.matchAll(/Worker started execution (\d+) /g)) {
			starts.set(id, [...(starts.get(id) ?? []), number]);
		}
	}
	return starts;
}
