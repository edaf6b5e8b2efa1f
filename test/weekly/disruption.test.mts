import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import type { Cluster } from '../queue/cluster/cluster.mts';
import { readRows } from '../queue/executions.mts';
import { expectedFacts, upload, useQueueSetup } from '../queue/queueSetup.mts';

const minute = 60_000;
const uploadCount = 40;

/** The facts where no execution was abandoned. */
const allWell = { ...expectedFacts, statuses: { success: uploadCount }, calls: 2 * uploadCount };

/** n8n for a describe whose tests take something away during uploads and calls. */
function useDisruptedSetup(environment: Record<string, string>) {
	const queue = useQueueSetup(environment);
	// The workers run ten executions at a time, with two calls each. So most uploads wait in the queue, even where the form
	// is slow.
	beforeAll(async () => await queue.service.callApi('PUT', '/settings', { latencyMs: 4_000 }));
	// A test may have ended one.
	beforeEach(async () => {
		const { workers, addWorker } = queue.cluster;
		while (workers.length < 2) await addWorker();
	});

	/** Disrupts when some executions have ended, others are calling the service, and others wait in the queue. */
	const disruptRun = async (run: string, disrupt: () => Promise<void>) =>
		await upload(queue, { run, count: uploadCount, everyMs: 250 }, async () => {
			const someHaveEndedAndSomeWait = async () => {
				const statuses = (await readRows(queue.cluster, run)).map(({ status }) => status);
				const waiting = statuses.filter((status) => status === 'new').length;
				const ended = statuses.filter((status) => status === 'success').length;
				return waiting >= 3 && ended >= 3;
			};
			await waitUntil(someHaveEndedAndSomeWait, { timeoutMs: 5 * minute, intervalMs: 100 });
			await disrupt();
		});
	return { queue, disruptRun };
}

async function endWorker({ workers }: Cluster, signal: 'SIGTERM' | 'SIGKILL') {
	const worker = workers.at(-1)!;
	process.kill(worker.pid, signal);
	await worker.ended;
}

describe('in a disruption that ends no execution', () => {
	const { queue, disruptRun } = useDisruptedSetup({
		// n8n's own is 10 s. Its processes end by themselves when Redis is away for longer.
		QUEUE_BULL_REDIS_TIMEOUT_THRESHOLD: '60000',
		// n8n's own is 30 s. The speed of this machine must not decide.
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '120',
	});

	it('an upload ends well or fails before its first call, and at most one is executed twice, if Redis is stopped for ten seconds', async () => {
		const { redis } = queue.cluster;
		const facts = await disruptRun('redis', async () => {
			try {
				await redis.stop();
				await sleep(10_000);
			} finally {
				await redis.start();
			}
		});
		// If n8n was just adding an execution to the queue, it fails.
		const { success = 0, error = 0, crashed = 0 } = facts.statuses;
		// If a worker was just taking one from the queue, n8n can start it on both workers. Each call is then made twice.
		const { paidTwice } = facts;
		expect(paidTwice.length).toBeLessThanOrEqual(2);
		expect(new Set(paidTwice.map((call) => call.split(' ')[0])).size).toBeLessThanOrEqual(1);
		expect(facts).toMatchObject({
			...expectedFacts,
			paidTwice,
			executions: uploadCount,
			calls: 2 * success + paidTwice.length,
		});
		expect(success + error + crashed).toBe(uploadCount);
		// submit.mts lets at most eight uploads be in progress at once.
		expect(success).toBeGreaterThanOrEqual(uploadCount - 8);
	});

	it('a worker that gets SIGTERM completes its executions, and every upload ends well', async () => {
		const facts = await disruptRun(
			'sigterm',
			async () => await endWorker(queue.cluster, 'SIGTERM'),
		);
		expect(facts).toMatchObject(allWell);
	});
});

describe('in a disruption that ends executions', () => {
	const { queue, disruptRun } = useDisruptedSetup({
		// Shortens the two minutes until n8n ends the executions of a dead worker.
		QUEUE_WORKER_LOCK_DURATION: '15000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
		QUEUE_WORKER_STALLED_INTERVAL: '4000',
		// n8n's own is 180 minutes; this one is in minutes, too.
		N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '0.75',
		// With this level, main logs when it has checked for abandoned executions.
		N8N_LOG_LEVEL: 'debug',
	});

	/**
	 * Resolves when n8n has just checked for abandoned executions. To it, an execution that is stored but not in the queue
	 * yet is abandoned. So during uploads, checking this often would end some of them.
	 */
	const waitForRecovery = async () => {
		const countRecoveries = async () =>
			(await readFile(queue.cluster.main.logFile, 'utf8')).split('Completed queue recovery check')
				.length;
		const before = await countRecoveries();
		const hasRecovered = async () => (await countRecoveries()) > before;
		await waitUntil(hasRecovered, { timeoutMs: 3 * minute, intervalMs: 250 });
	};

	it('executions of a worker that is killed fail and are not started again, and the others succeed', async () => {
		await waitForRecovery();
		const facts = await disruptRun('kill', async () => {
			await endWorker(queue.cluster, 'SIGKILL');
			await queue.cluster.addWorker();
		});
		expect(facts).toMatchObject({
			...expectedFacts,
			accepted: uploadCount,
			executions: uploadCount,
		});
		// The status depends on who finds out first, the queue or n8n's own recovery.
		const { success = 0, error = 0, crashed = 0 } = facts.statuses;
		expect(success + error + crashed).toBe(uploadCount);
		expect(error + crashed).toBeGreaterThan(0);
		// A worker runs at most five executions at once.
		expect(error + crashed).toBeLessThanOrEqual(5);
	});

	it('no execution is started again when PostgreSQL is restarted, which may lose results', async () => {
		const { postgres } = queue.cluster;
		await waitForRecovery();
		const facts = await disruptRun('pg', async () => {
			try {
				await postgres.stop();
			} finally {
				await postgres.start();
			}
		});
		// n8n can mark an execution as successful whose results it could not save.
		expect(facts).toMatchObject({ ...expectedFacts, withoutResults: expect.any(Array) });
		expect(facts.executions).toBeGreaterThanOrEqual(facts.accepted);
		const { success = 0, error = 0, crashed = 0 } = facts.statuses;
		expect(success + error + crashed).toBe(facts.executions);
		expect(success).toBeGreaterThan(0);
	});
});
