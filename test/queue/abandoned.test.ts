/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ALL_WELL, SOUND, useDisruptedStage } from './during';

const MINUTE = 60_000;

describe('queue mode loses a part, and with it what was under way', () => {
	const { cluster, during, uploads } = useDisruptedStage({
		// Shortens the two minutes until n8n gives up the executions of a dead worker.
		QUEUE_WORKER_LOCK_DURATION: '15000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
		QUEUE_WORKER_STALLED_INTERVAL: '4000',
		// n8n's own is 180 minutes; this one is in minutes, too.
		N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '0.75',
		// Then main says when it has looked for abandoned executions.
		N8N_LOG_LEVEL: 'debug',
	});

	const isUnfinished = (status: string) => ['new', 'running', 'waiting'].includes(status);

	/**
	 * Resolves when n8n has just looked for abandoned executions. It takes one for abandoned that is
	 * stored but not in the queue yet: while uploads come in, a look so often would give up some of them.
	 */
	const afterRecovery = async () => {
		const looks = async () =>
			(await readFile(cluster().main.logFile, 'utf8')).split('Completed queue recovery check')
				.length;
		for (const before = await looks(); (await looks()) === before; ) await sleep(250);
	};

	it(
		'a worker is killed: what it had fails and is not started again, the rest ends well',
		async () => {
			await afterRecovery();
			const facts = await during('kill', async () => {
				const worker = cluster().workers.at(-1)!;
				process.kill(worker.pid, 'SIGKILL');
				await worker.ended;
			});
			// Which of the two it is depends on who finds out first: the queue, or n8n's own recovery.
			const { success = 0, error = 0, crashed = 0 } = facts.statuses;
			const abandoned = error + crashed;
			expect(facts).toMatchObject({ ...SOUND, accepted: uploads, executions: uploads });
			expect(success + abandoned).toBe(uploads);
			// At most what a worker runs at once.
			expect(abandoned).toBeGreaterThan(0);
			expect(abandoned).toBeLessThanOrEqual(5);
			await cluster().addWorker();
		},
		10 * MINUTE,
	);

	it(
		'PostgreSQL is restarted: what was under way fails and is not started again',
		async () => {
			const { postgres } = cluster();
			const facts = await during('pg', async () => {
				await postgres.stop();
				await postgres.start();
			});
			expect(facts).toMatchObject(SOUND);
			expect(facts.executions).toBeGreaterThanOrEqual(facts.accepted);
			expect(Object.keys(facts.statuses).filter(isUnfinished)).toEqual([]);
			expect(facts.statuses.success).toBeGreaterThan(0);
		},
		10 * MINUTE,
	);

	it(
		'afterwards all is as before',
		async () => {
			await afterRecovery();
			const facts = await during('after', async () => {});
			expect(facts).toMatchObject(ALL_WELL);
		},
		10 * MINUTE,
	);
});
