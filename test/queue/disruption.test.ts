/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { setTimeout as sleep } from 'node:timers/promises';
import { ALL_WELL, useDisruptedStage } from './during';

const MINUTE = 60_000;

describe('queue mode loses a part, and nothing is given up', () => {
	const { cluster, during } = useDisruptedStage({
		// n8n's own is 10 s: its processes end by themselves when Redis is away for longer.
		QUEUE_BULL_REDIS_TIMEOUT_THRESHOLD: '60000',
		// n8n's own is 30 s, and how fast this machine is must not decide.
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '120',
	});

	it(
		'Redis is stopped for ten seconds: every upload ends well',
		async () => {
			const { redis } = cluster();
			const facts = await during('redisstop', async () => {
				await redis.stop();
				await sleep(10_000);
				await redis.start();
			});
			expect(facts).toMatchObject(ALL_WELL);
		},
		10 * MINUTE,
	);

	it(
		'Redis answers nothing for ten seconds: every upload ends well',
		async () => {
			const { redis } = cluster();
			const facts = await during('redisfreeze', async () => {
				process.kill(redis.pid(), 'SIGSTOP');
				await sleep(10_000);
				process.kill(redis.pid(), 'SIGCONT');
			});
			expect(facts).toMatchObject(ALL_WELL);
		},
		10 * MINUTE,
	);

	it(
		'a worker is told to end: it finishes what it has, every upload ends well',
		async () => {
			const facts = await during('term', async () => {
				const worker = cluster().workers.at(-1)!;
				process.kill(worker.pid, 'SIGTERM');
				await worker.ended;
			});
			expect(facts).toMatchObject(ALL_WELL);
		},
		10 * MINUTE,
	);
});
