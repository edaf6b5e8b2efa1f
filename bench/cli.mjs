import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProgress } from '../demo/progress.mjs';
import { installHost } from '../hosts/install.mjs';
import { withLock } from '../hosts/lock.mjs';
import { packPackage } from '../hosts/package.mjs';
import { Problem } from '../hosts/problem.mjs';
import { cost } from './cases/cost.mjs';
import { download } from './cases/download.mjs';
import { files } from './cases/files.mjs';
import { load } from './cases/load.mjs';
import { texts } from './cases/texts.mjs';
import { upload } from './cases/upload.mjs';
import { url } from './cases/url.mjs';
import { readOptions, usage } from './options.mjs';
import { reportText } from './report.mjs';
import { startService } from './service.mjs';

/** @type {Record<string, (bench: import('./candidates.mjs').Bench) => Promise<import('./outcome.mjs').Outcome>>} */
const cases = { upload, download, url, files, texts, cost, load };

const here = dirname(fileURLToPath(import.meta.url));

/**
 * The whole command: sets `process.exitCode`, and ends only after everything that it started.
 * @param {string[]} args
 * @returns {Promise<void>}
 */
export async function runCli(args) {
	// `exit` ends every process that was started (hosts/processes.mjs).
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
		process.once(signal, () => process.exit(130));
	const progress = createProgress();
	try {
		const options = readOptions(args);
		if (options.help) return void process.stdout.write(usage);
		const folder = join(here, '..', '.demo', 'bench');
		await mkdir(folder, { recursive: true });
		const onWait = () => {
			throw new Problem('The bench is running already: two at once would only measure each other.');
		};
		await withLock(`${folder}.lock`, { onWait }, async () => {
			await rm(folder, { recursive: true, force: true });
			try {
				await run(options, folder, progress);
			} finally {
				await rm(folder, { recursive: true, force: true });
			}
		});
	} catch (error) {
		progress.end();
		const isProblem = error instanceof Problem;
		process.stderr.write(
			`\n${isProblem ? error.message : error instanceof Error ? error.stack : error}\n`,
		);
		process.exitCode = 1;
	}
}

/**
 * @param {import('./options.mjs').Options} options
 * @param {string} folder
 * @param {import('../demo/progress.mjs').Progress} progress
 */
async function run(options, folder, progress) {
	const onStep = progress.step;
	const tarball = await packPackage({ onStep });
	const host = await installHost('2.41.1', { onStep });
	const nodeVersion = execFileSync(host.node, ['-p', 'process.versions.node'], {
		encoding: 'utf8',
	});
	const service = await startService();
	const inside = join(folder, 'files');
	/** @param {string} text */
	const print = (text) => {
		progress.end();
		process.stdout.write(`${text}\n`);
	};
	/** @type {import('./outcome.mjs').Outcome[]} */
	const outcomes = [];
	/** @type {number[]} */
	const loads = [];
	try {
		for (const name of options.only) {
			await mkdir(inside, { recursive: true });
			loads.push(loadavg()[0] ?? NaN);
			const step = (/** @type {string} */ title) => onStep(`${name}: ${title}`);
			const bench = { options, host, tarball, service, folder, files: inside, onStep: step, print };
			const outcome = await outcomeOf(name, bench);
			for (const failure of outcome.failures ?? []) print(`  ${name} FAILED: ${failure}`);
			outcomes.push(outcome);
			await rm(inside, { recursive: true, force: true });
		}
	} finally {
		progress.end();
		await service.stop();
	}
	const about = { host, nodeVersion: nodeVersion.trim(), repeat: options.repeat, loads };
	const text = await reportText(outcomes, about);
	print(text);
	const failed = outcomes.some(({ failures }) => failures);
	if (failed) process.exitCode = 1;
	if (!options.keep) await writeFile(join(here, 'results.md'), text);
}

/**
 * One case that fails does not take the results of the others with it.
 * @param {string} name
 * @param {import('./candidates.mjs').Bench} bench
 * @returns {Promise<import('./outcome.mjs').Outcome>}
 */
async function outcomeOf(name, bench) {
	try {
		const measure = cases[name];
		if (!measure) throw new Error(`There is no case ${name}`);
		return await measure(bench);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		return { title: name, rows: [], claims: [], failures: [reason] };
	}
}
