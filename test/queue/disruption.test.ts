/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { setTimeout as sleep } from 'node:timers/promises';
import { SOUND, uploadDuring } from './during';
import { startStage, type Stage } from './stage';

const MINUTE = 60_000;
const UPLOADS = 40;

/** Takes away one part at a time while uploads come in and calls are under way. */
describe('queue mode loses a part', () => {
	let stage: Stage;

	beforeAll(async () => {
		const environment = {
			// n8n's own is 10 s: its processes end by themselves when Redis is away for longer.
			QUEUE_BULL_REDIS_TIMEOUT_THRESHOLD: '60000',
			// Shortens the two minutes until n8n gives up the executions of a dead worker.
			QUEUE_WORKER_LOCK_DURATION: '15000',
			QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
			QUEUE_WORKER_STALLED_INTERVAL: '4000',
			// n8n's own is 180 minutes; this one is in minutes, too.
			N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '0.5',
			// n8n's own is 30 s, and how fast this machine is must not decide.
			N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '120',
		};
		stage = await startStage({ environment });
		// Longer than ten places get done with: some uploads wait.
		await stage.service.setSettings({ latencyMs: 2_000 });
	}, 20 * MINUTE);

	afterAll(async () => await stage?.stop());

	const during = async (run: string, disrupt: () => Promise<void>) =>
		await uploadDuring(stage, { run, count: UPLOADS }, disrupt);

	const isUnfinished = (status: string) => ['new', 'running', 'waiting'].includes(status);

	it(
		'Redis is stopped for ten seconds: every upload ends well',
		async () => {
			const { redis } = stage.cluster;
			const facts = await during('redisstop', async () => {
				await redis.stop();
				await sleep(10_000);
				await redis.start();
			});
			expect(facts).toMatchObject({
				...SOUND,
				statuses: { success: UPLOADS },
				calls: 2 * UPLOADS,
			});
		},
		10 * MINUTE,
	);

	it(
		'Redis answers nothing for ten seconds: every upload ends well',
		async () => {
			const { redis } = stage.cluster;
			const facts = await during('redisfreeze', async () => {
				process.kill(redis.pid(), 'SIGSTOP');
				await sleep(10_000);
				process.kill(redis.pid(), 'SIGCONT');
			});
			expect(facts).toMatchObject({
				...SOUND,
				statuses: { success: UPLOADS },
				calls: 2 * UPLOADS,
			});
		},
		10 * MINUTE,
	);

	it(
		'a worker is told to end: it finishes what it has, every upload ends well',
		async () => {
			const facts = await during('term', async () => {
				const worker = stage.cluster.workers.at(-1)!;
				process.kill(worker.pid, 'SIGTERM');
				await worker.ended;
			});
			expect(facts).toMatchObject({
				...SOUND,
				statuses: { success: UPLOADS },
				calls: 2 * UPLOADS,
			});
			await stage.cluster.addWorker();
		},
		10 * MINUTE,
	);

	it(
		'a worker is killed: what it had fails and is not started again, the rest ends well',
		async () => {
			const facts = await during('kill', async () => {
				const worker = stage.cluster.workers.at(-1)!;
				process.kill(worker.pid, 'SIGKILL');
				await worker.ended;
			});
			// Which of the two it is depends on who finds out first: the queue, or n8n's own recovery.
			const { success = 0, error = 0, crashed = 0 } = facts.statuses;
			const abandoned = error + crashed;
			expect(facts).toMatchObject({ ...SOUND, accepted: UPLOADS, executions: UPLOADS });
			expect(success + abandoned).toBe(UPLOADS);
			// At most what a worker runs at once.
			expect(abandoned).toBeGreaterThan(0);
			expect(abandoned).toBeLessThanOrEqual(5);
			await stage.cluster.addWorker();
		},
		10 * MINUTE,
	);

	it(
		'PostgreSQL is restarted: what was under way fails and is not started again',
		async () => {
			const { postgres } = stage.cluster;
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
			const facts = await during('after', async () => {});
			expect(facts).toMatchObject({
				...SOUND,
				statuses: { success: UPLOADS },
				calls: 2 * UPLOADS,
			});
		},
		10 * MINUTE,
	);
});
