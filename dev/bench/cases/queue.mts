import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../../../test/queue/load/service.mts';
import { submitRecordings } from '../../../test/queue/load/submit.mts';
import { publishWorkflow } from '../../../test/queue/load/workflow.mts';
import { startCluster } from '../../n8n/queue/cluster.mts';
import { ratioText } from '../claims.mts';
import type { Cluster } from '../../n8n/queue/cluster.mts';
import type { Claim } from '../claims.mts';
import type { Bench } from '../candidates.mts';
import type { Outcome } from '../claims.mts';

const whole = (value: number) => value.toFixed(0);

/** Simultaneous executions of a worker: n8n's default. */
const concurrency = 10;

/** An execution makes two calls, and each takes 3 s. */
const [callSeconds, callsPerExecution] = [3, 2];

/**
 * @param count executions that must end
 * @returns when each ended, in milliseconds since 1970, in order
 * @throws if one failed, or if they take longer than 10 minutes
 */
async function ends(cluster: Cluster, count: number): Promise<number[]> {
	for (const deadline = Date.now() + 600_000; Date.now() < deadline; await sleep(1_000)) {
		const rows = await cluster.postgres.query(
			`SELECT status, extract(epoch FROM "stoppedAt") * 1000 AS at FROM execution_entity
				WHERE "stoppedAt" IS NOT NULL ORDER BY "stoppedAt"`,
		);
		const failed = rows.filter(({ status }) => status !== 'success').length;
		if (failed > 0) throw new Error(`${failed} of ${count} executions failed`);
		if (rows.length >= count) return rows.map(({ at }) => Number(at));
	}
	throw new Error(`Not all of ${count} executions ended within 10 minutes`);
}

/** @returns what Redis and PostgreSQL have done since they started */
async function work({ redis, postgres }: Cluster): Promise<number[]> {
	const [, commands] = /total_commands_processed:(\d+)/.exec(redis.run('info', 'stats')) ?? [];
	const [statistics] = await postgres.query(
		`SELECT xact_commit AS transactions, pg_database_size(datname) AS bytes
			FROM pg_stat_database WHERE datname = current_database()`,
	);
	return [Number(commands), statistics.transactions, statistics.bytes];
}

/** Executions per minute in queue mode: uploads to a form, each transcribed and read aloud. */
export async function queue({ folder, options, onStep }: Bench): Promise<Outcome> {
	const service = await startService();
	let cluster: Cluster | undefined;
	const claims: Claim[] = [];
	try {
		const home = join(folder, 'queue');
		await mkdir(home, { recursive: true });
		cluster = await startCluster({ folder: home, concurrency, workers: 1, onStep });
		const { formUrl } = await publishWorkflow(cluster.rest, service, cluster.webhook.url);
		service.setSettings({ latencyMs: callSeconds * 1_000 });
		let ended = 0;
		for (const workers of options.quick ? [1] : [1, 2, 4]) {
			while (cluster.workers.length < workers) await cluster.addWorker();
			const slots = workers * concurrency;
			// Enough that every slot is used several times; the first time warms the workers up.
			const count = slots * (options.quick ? 2 : 6);
			onStep(`${count} executions, workers: ${workers}`);
			const before = await work(cluster);
			const submissions = await submitRecordings(formUrl, { run: `workers${workers}`, count });
			const refused = submissions.find(({ accepted }) => !accepted);
			if (refused) throw new Error(`An upload was refused: ${refused.answer}`);
			const times = (await ends(cluster, ended + count)).slice(ended);
			ended += count;
			const [from = NaN, to = NaN] = [times[slots - 1], times.at(-1)];
			const perMinute = ((count - slots) * 60_000) / (to - from);
			const after = await work(cluster);
			const [commands = NaN, transactions = NaN, bytes = NaN] = after.map(
				(value, index) => (value - (before[index] ?? NaN)) / count,
			);
			const bySlots = (slots * 60) / (callSeconds * callsPerExecution);
			const claim = (what: string, value: number, text: (value: number) => string) => ({
				what: `${what}, ${workers === 1 ? '1 worker' : `${workers} workers`}`,
				value,
				text,
			});
			claims.push(
				claim('executions per minute', perMinute, whole),
				claim('of what the slots allow', perMinute / bySlots, ratioText),
				claim('Redis commands per execution', commands, whole),
				claim('PostgreSQL transactions per execution', transactions, whole),
				claim('growth of the database per execution', bytes / 1_000, (kB) => `${whole(kB)} kB`),
			);
		}
	} finally {
		await cluster?.stop();
		await service.stop();
	}
	return {
		title: `queue mode, ${concurrency} simultaneous executions per worker, ${callsPerExecution} calls of ${callSeconds} s each`,
		rows: [],
		claims,
	};
}
