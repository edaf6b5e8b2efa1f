import { waitUntil } from '../../dev/lib/waitUntil.mts';
import type { QueueSetup } from './queueSetup';

/** An execution as n8n's database has it. */
export interface Row {
	id: string;
	status: string;
	/** Like `run-17`. */
	recording: string;
}

/** Every execution of a run, in the order in which they came. */
export async function readRows({ cluster, recordings }: QueueSetup, run: string): Promise<Row[]> {
	// The name of the uploaded file is in the data of every execution, of one that never began, too.
	const rows = (await cluster.postgres.query(
		`SELECT execution.id::text AS id, status,
				substring(data.data from '([a-z]+-[0-9]+)[.]wav') AS recording
			FROM execution_entity AS execution
			JOIN execution_data AS data ON data."executionId" = execution.id
			ORDER BY execution.id`,
	)) as Array<{ id: string; status: string; recording: string | null }>;
	for (const { id, recording } of rows) if (recording) recordings.set(id, recording);
	return rows
		.map(({ id, status }) => ({ id, status, recording: recordings.get(id) ?? '' }))
		.filter(({ recording }) => recording.startsWith(`${run}-`));
}

const unfinished = ['new', 'running', 'waiting', 'unknown'];

/**
 * Waits until a run has `count` executions and all have ended, and returns them.
 *
 * @throws {Error} when the time is over
 */
export async function waitForEndedRows(
	setup: QueueSetup,
	run: string,
	count: number,
	timeoutMs: number,
): Promise<Row[]> {
	let rows: Row[] = [];
	const readIfEnded = async () => {
		rows = await readRows(setup, run);
		const haveEnded = rows.every(({ status }) => !unfinished.includes(status));
		return rows.length >= count && haveEnded && rows;
	};
	return await waitUntil(readIfEnded, {
		timeoutMs,
		intervalMs: 1_000,
		createMessage: () => `${count} executions of ${run} did not end: ${JSON.stringify(rows)}`,
	});
}
