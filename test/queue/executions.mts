import { waitUntil } from '../../dev/lib/waitUntil.mts';
import type { Cluster } from './cluster/cluster.mts';

/** An execution as n8n's database has it. */
export interface Row {
	id: string;
	status: string;
	/** Like `run-17`. */
	recording: string;
}

/**
 * Lets PostgreSQL remember the recording of each execution. n8n keeps no data of an execution that it ends itself, such as
 * one whose worker was killed.
 */
export async function rememberRecordings({ postgres }: Cluster): Promise<void> {
	// The name of the uploaded file is in the first data of every execution.
	await postgres.run(`
		CREATE TABLE recording ("executionId" integer PRIMARY KEY, name text);
		CREATE FUNCTION remember_recording() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN
				INSERT INTO recording
					VALUES (NEW."executionId", substring(NEW.data from '([a-z]+-[0-9]+)[.]wav'))
					ON CONFLICT DO NOTHING;
				RETURN NULL;
			END
		$$;
		CREATE TRIGGER remember_recording AFTER INSERT ON execution_data
			FOR EACH ROW EXECUTE FUNCTION remember_recording();
	`);
}

/** Every execution of a run, in the order in which they came. */
export async function readRows({ postgres }: Cluster, run: string): Promise<Row[]> {
	const rows = await postgres.run(`
		SELECT coalesce(json_agg(rows), '[]') FROM (
			SELECT execution.id::text AS id, execution.status, recording.name AS recording
				FROM execution_entity AS execution
				JOIN recording ON recording."executionId" = execution.id
				WHERE recording.name LIKE '${run}-%'
				ORDER BY execution.id
		) AS rows
	`);
	return JSON.parse(rows) as Row[];
}

const unfinished = ['new', 'running', 'waiting', 'unknown'];

/**
 * Waits until a run has `count` executions and all have ended, and returns them.
 *
 * @throws {Error} when the time is over
 */
export async function waitForEndedRows(
	cluster: Cluster,
	run: string,
	count: number,
	timeoutMs: number,
): Promise<Row[]> {
	let rows: Row[] = [];
	const readIfEnded = async () => {
		rows = await readRows(cluster, run);
		const haveEnded = rows.every(({ status }) => !unfinished.includes(status));
		return rows.length >= count && haveEnded && rows;
	};
	return await waitUntil(readIfEnded, {
		timeoutMs,
		intervalMs: 1_000,
		createMessage: () => `${count} executions of ${run} did not end: ${JSON.stringify(rows)}`,
	});
}
