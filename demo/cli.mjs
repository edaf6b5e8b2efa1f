import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { withLock } from '../hosts/lock.mjs';
import { Problem } from '../hosts/problem.mjs';
import { readOptions, usage } from './options.mjs';
import { installPackages } from './packages.mjs';
import { createProgress } from './progress.mjs';

/**
 * The whole command: sets `process.exitCode`, and ends only after everything that it started.
 * @param {string[]} args
 * @returns {Promise<void>}
 */
export async function runCli(args) {
	const interrupted = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(signal, () => {
			// The second time nobody wants to wait for a tidy end: `exit` ends what still runs.
			if (interrupted.signal.aborted) process.exit(130);
			interrupted.abort(new Interrupted());
		});
	}
	const progress = createProgress();
	try {
		const options = readOptions(args);
		if (options.help) return void process.stdout.write(usage);
		await installPackages(interrupted.signal);
		// Only now: it needs the packages.
		const { run } = await import('./run.mjs');
		await alone(options.folder, async () => {
			await run(options, progress, interrupted.signal);
		});
	} catch (error) {
		progress.end();
		process.exitCode = report(error);
	}
}

class Interrupted extends Error {}

/**
 * Two n8n on one folder would spoil each other's data.
 * @param {string} folder
 * @param {() => Promise<void>} task
 */
async function alone(folder, task) {
	const lock = join(folder, 'running.lock');
	const onWait = () => {
		throw new Problem(
			`The demo is running already. End it first, or give this one another folder with --folder <path>. If no demo is running, delete ${relative(process.cwd(), lock)}.`,
		);
	};
	await mkdir(folder, { recursive: true });
	await withLock(lock, { onWait }, task);
}

/**
 * @param {unknown} error
 * @returns {number} the exit code
 */
function report(error) {
	if (error instanceof Interrupted) {
		process.stderr.write('\nInterrupted: nothing is left running.\n');
		return 130;
	}
	if (error instanceof Problem) {
		process.stderr.write(`\n${error.message}\n`);
		return 1;
	}
	const message = error instanceof Error ? error.message : String(error);
	process.stderr.write(
		`\nThe demo failed in a way that nobody foresaw: ${message}\nn8n.log in the demo's folder has what n8n said; DEMO_DEBUG=1 shows where it failed.\n`,
	);
	if (process.env.DEMO_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
	return 1;
}
