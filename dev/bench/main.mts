import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProgress } from '../lib/progress.mts';
import { installHost } from '../n8n/install.mts';
import { withLock } from '../lib/lock.mts';
import { packPackage } from '../n8n/package.mts';
import { Problem } from '../lib/problem.mts';
import { newest } from '../n8n/versions.mts';
import { cases } from './cases.mts';
import { startN8n } from './n8n.mts';
import { plot } from './plot.mts';
import { readOptions, usage } from './options.mts';
import { reportText } from './report.mts';
import { startService } from './service.mts';
import type { Outcome } from './claims.mts';
import type { Options } from './options.mts';
import type { Progress } from '../lib/progress.mts';

const here = dirname(fileURLToPath(import.meta.url));

/** @returns whether every case could be measured */
async function run(options: Options, folder: string, progress: Progress): Promise<boolean> {
	const tarball = await packPackage({ onStep: progress.step });
	const host = await installHost(newest, { onStep: progress.step });
	const nodeVersion = execFileSync(host.node, ['-p', 'process.versions.node']).toString().trim();
	const service = await startService(folder);
	const files = join(folder, 'files');
	const shared = { options, host, tarball, service, folder, files };
	const n8n = options.quick ? await startN8n(shared, 'n8n') : undefined;
	const print = (text: string) => {
		progress.end();
		process.stdout.write(`${text}\n`);
	};
	const outcomes: Record<string, Outcome> = {};
	const loads: number[] = [];
	try {
		for (const [name, measure] of Object.entries(cases)) {
			if (!options.only.includes(name)) continue;
			await mkdir(files, { recursive: true });
			loads.push(loadavg()[0] ?? NaN);
			const onStep = (title: string) => progress.step(`${name}: ${title}`);
			const bench = { ...shared, url: service.urls.http, n8n, onStep };
			// A case that fails must not cost the results of the others.
			const outcome = await measure(bench).catch(({ message: failure }: Error) => {
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

async function main(args: string[]) {
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
		const { code, message, stack } = error as NodeJS.ErrnoException;
		const isKnown = error instanceof Problem || code?.startsWith('ERR_PARSE_ARGS');
		process.stderr.write(`\n${isKnown ? message : stack}\n`);
		process.exitCode = 1;
	}
}

// On `exit`, dev/lib/processes.mts ends every process that was started.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
await main(process.argv.slice(2));
