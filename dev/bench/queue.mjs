// Measures how many executions per second one, two and four workers end, and writes the ratios into
// README.md beside this file. Usage: node dev/bench/queue.mjs [--quick] (fewer executions; the page is not written)
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createProgress } from '../demo/progress.mjs';
import { Problem } from '../n8n/problem.mjs';
import { startCluster } from '../n8n/queue/cluster.mjs';
import { startService } from '../../test/queue/load/service.mjs';
import { publishWorkflow } from '../../test/queue/load/workflow.mjs';
import { drain } from './queue/drain.mjs';
import { reportText, writeFigures } from './queue/report.mjs';

const version = '2.41.1';
const concurrency = 5;
const workerCounts = [1, 2, 4];

/** Response time of the service in the second measurement; an execution makes two calls. */
const callSeconds = 3;

/** @param {boolean} quick */
async function measure(quick) {
	const counts = quick ? { busy: 30, waiting: 20 } : { busy: 200, waiting: 60 };
	const progress = createProgress();
	const folder = await mkdtemp(join(tmpdir(), 'voice-speech-queue-bench-'));
	const service = await startService();
	/** @type {import('../n8n/queue/cluster.mjs').Cluster | undefined} */
	let cluster;
	try {
		const onStep = progress.step;
		cluster = await startCluster({ folder, version, concurrency, workers: 1, onStep });
		const { formUrl } = await publishWorkflow(cluster.rest, service, cluster.webhook.url);
		/** @type {Record<'busy' | 'waiting', import('./queue/drain.mjs').Drain[]>} */
		const results = { busy: [], waiting: [] };
		for (const workers of workerCounts) {
			while (cluster.workers.length < workers) await cluster.addWorker();
			onStep(`${workers} workers: warming up`);
			await service.setSettings({ latencyMs: 0 });
			const warmUp = { formUrl, run: `warm${'x'.repeat(workers)}`, count: 10 * workers };
			await drain(cluster, service, warmUp);
			for (const kind of /** @type {const} */ (['busy', 'waiting'])) {
				onStep(`${workers} workers: ${kind}`);
				await service.setSettings({ latencyMs: kind === 'busy' ? 0 : callSeconds * 1_000 });
				await service.forget();
				const run = `${kind}${'x'.repeat(workers)}`;
				results[kind].push(await drain(cluster, service, { formUrl, run, count: counts[kind] }));
			}
		}
		progress.end();
		const text = reportText({ ...results, waitSeconds: 2 * callSeconds, concurrency, version });
		process.stdout.write(`\n${text}`);
		for (const { workers, perSecond } of results.busy) {
			process.stdout.write(`${workers} workers: ${perSecond.toFixed(2)} a second\n`);
		}
		if (!quick) await writeFigures(text);
	} finally {
		progress.end();
		await cluster?.stop();
		await service.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

// On `exit`, dev/n8n/processes.mjs ends every process that was started.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
try {
	const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
	await measure(values.quick);
} catch (error) {
	const known = error instanceof Problem;
	process.stderr.write(
		`\n${known ? error.message : error instanceof Error ? error.stack : error}\n`,
	);
	process.exitCode = 1;
}
