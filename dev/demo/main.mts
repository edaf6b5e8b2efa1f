import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { withLock } from '../lib/lock.mts';
import { codeOf, Problem } from '../lib/problem.mts';
import { readOptions, usage } from './options.mts';
import { createProgress } from '../lib/progress.mts';
import { run } from './run.mts';

/** Sets `process.exitCode`, and resolves after everything that it started has ended. */
async function main(args: string[]) {
	const interrupted = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(signal, () => {
			// The second time, end at once: the handlers of `exit` kill what still runs.
			if (interrupted.signal.aborted) process.exit(130);
			interrupted.abort();
		});
	}
	// A log file that cannot be written fails in an event, which no `try` catches.
	process.on('uncaughtException', (error) => interrupted.abort(error));
	const progress = createProgress();
	try {
		const options = readOptions(args);
		if (options.help) return void process.stdout.write(usage);
		await runAlone(options.folder, async () => {
			await run(options, progress, interrupted.signal);
		});
	} catch (error) {
		progress.end();
		const problem = error as Error;
		process.stderr.write(`\n${explain(problem)}\n`);
		process.exitCode = problem.name === 'AbortError' ? 130 : 1;
	}
}

/** Runs a task while no other demo uses the folder: two n8n would damage each other's data. */
async function runAlone(folder: string, task: () => Promise<void>) {
	const lock = join(folder, 'running.lock');
	const onWait = () => {
		throw new Problem(
			`The demo is already running. End it first, or use another folder with --folder <path>. If no demo is running, delete ${relative(process.cwd(), lock)}.`,
		);
	};
	await mkdir(folder, { recursive: true });
	await withLock(lock, { onWait }, task);
}

function explain(error: Error) {
	const { name, message, stack } = error;
	if (name === 'AbortError') return 'Interrupted: nothing is left running.';
	if (/\bENOSPC\b|SQLITE_FULL/.test(`${codeOf(error)} ${message}`)) {
		return 'The disk is full: n8n and the demo need about 2.5 GB. Free some space, then run it again.';
	}
	if (error instanceof Problem) return message;
	if (codeOf(error).startsWith('ERR_PARSE_ARGS')) return `${message}\n\n${usage}`;
	if (['EACCES', 'EEXIST', 'ENOTDIR', 'EPERM', 'EROFS'].includes(codeOf(error))) {
		return `The demo cannot write to its folder: choose another one with --folder <path>. ${message}`;
	}
	return `The demo failed unexpectedly. n8n.log in the demo's folder has n8n's output. ${stack}`;
}

await main(process.argv.slice(2));
