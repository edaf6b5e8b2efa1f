import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProgress } from '../demo/progress.mjs';
import { installHost } from '../n8n/install.mjs';
import { withLock } from '../n8n/lock.mjs';
import { packPackage } from '../n8n/package.mjs';
import { Problem } from '../n8n/problem.mjs';
import { newest } from '../n8n/versions.mjs';
import { cases } from './cases.mjs';
import { startN8n } from './n8n.mjs';
import { plot } from './plot.mjs';
import { readOptions, usage } from './options.mjs';
import { reportText } from './report.mjs';
import { startService } from './service.mjs';

/** @typedef {import('./claims.mjs').Outcome} Outcome */

const here = dirname(fileURLToPath(import.meta.url));

/**
 * @param {import('./options.mjs').Options} options
 * @param {string} folder
 * @param {import('../demo/progress.mjs').Progress} progress
 * @returns {Promise<boolean>} whether every case could be measured
 */
async function run(options, folder, progress) {
	const tarball = await packPackage({ onStep: progress.step });
	const host = await installHost(newest, { onStep: progress.step });
	const nodeVersion = execFileSync(host.node, ['-p', 'process.versions.node']).toString().trim();
	const service = await startService(folder);
	const files = join(folder, 'files');
	const shared = { options, host, tarball, service, folder, files };
	const n8n = options.quick ? await startN8n(shared, 'n8n') : undefined;
	const print = (/** @type {string} */ text) => {
		progress.end();
		process.stdout.write(`${text}\n`);
	};
	/** @type {Record<string, Outcome>} */
	const outcomes = {};
	/** @type {number[]} */
	const loads = [];
	try {
		for (const [name, measure] of Object.entries(cases)) {
			if (!options.only.includes(name)) continue;
			await mkdir(files, { recursive: true });
			loads.push(loadavg()[0] ?? NaN);
			const onStep = (/** @type {string} */ title) => progress.step(`${name}: ${title}`);
			const bench = { ...shared, url: service.urls.http, n8n, onStep };
			// A case that fails must not cost the results of the others.
			const outcome = await measure(bench).catch((/** @type {Error} */ { message: failure }) => {
				print(`  ${name} FAILED: ${failure}`);
				return { title: name, rows: [], claims: [], failure };
			});
			outcomes[name] = { ...outcome, name };
			await rm(files, { recursive: true, force: true });
		}
	} finally {
		progress.end();
		await n8n?.stop();
		await service.stop();
	}
	const all = Object.values(outcomes);
	const text = await reportText(all, { ...options, host, nodeVersion, loads });
	print(text);
	if (options.isComplete) {
		await writeFile(join(here, 'results.md'), text);
		const plotted = [outcomes.upload, outcomes.download].filter((outcome) => outcome !== undefined);
		await writeFile(join(here, 'memory.svg'), plot(plotted));
	}
	return all.every(({ failure }) => failure === undefined);
}

/** @param {string[]} args */
async function main(args) {
	const progress = createProgress();
	try {
		const options = readOptions(args);
		if (options.help) return void process.stdout.write(usage);
		const folder = join(here, '../..', '.demo', 'bench');
		await mkdir(folder, { recursive: true });
		const onWait = () => {
			throw new Problem('The bench is already running: two at once would measure each other.');
		};
		await withLock(`${folder}.lock`, { onWait }, async () => {
			await rm(folder, { recursive: true, force: true });
			await mkdir(folder);
			try {
				if (!(await run(options, folder, progress))) process.exitCode = 1;
			} finally {
				await rm(folder, { recursive: true, force: true });
			}
		});
	} catch (error) {
		progress.end();
		const { code, message, stack } = /** @type {NodeJS.ErrnoException} */ (error);
		const isKnown = error instanceof Problem || code?.startsWith('ERR_PARSE_ARGS');
		process.stderr.write(`\n${isKnown ? message : stack}\n`);
		process.exitCode = 1;
	}
}

// On `exit`, dev/n8n/processes.mjs ends every process that was started.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
await main(process.argv.slice(2));
