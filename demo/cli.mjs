import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { withLock } from '../hosts/lock.mjs';
import { assertPortFree } from '../hosts/ports.mjs';
import { Problem } from '../hosts/problem.mjs';
import { readOptions, usage } from './options.mjs';
import { createProgress } from './progress.mjs';
import { startDemo } from './setup.mjs';
import { showExamples } from './show.mjs';

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
 * @param {import('./options.mjs').Options} options
 * @param {import('./progress.mjs').Progress} progress
 * @param {AbortSignal} signal
 */
async function run(options, progress, signal) {
	const { folder, port, emulatorPort, fresh, once } = options;
	await assertPortFree(port, 'n8n', '--port');
	await assertPortFree(emulatorPort, 'the emulator', '--emulator-port');
	const onStep = progress.step;
	const demo = await startDemo({ folder, port, emulatorPort, fresh, onStep, signal });
	try {
		const shown = await Promise.race([showExamples(demo, onStep), interruption(signal)]);
		progress.end();
		process.stdout.write(results(shown));
		if (once) return;
		process.stdout.write(invitation(demo));
		await untilEnd(demo, signal);
		process.stdout.write('\nStopping n8n and the emulator ...\n');
	} finally {
		progress.end();
		await demo.stop();
	}
}

/**
 * @param {import('./setup.mjs').Demo} demo
 * @param {AbortSignal} signal
 */
async function untilEnd({ n8n }, signal) {
	const interrupted = interruption(signal).catch(() => 'interrupted');
	const why = await Promise.race([interrupted, n8n.ended.then(() => 'ended')]);
	if (why === 'ended') throw new Problem(`n8n has ended by itself: ${n8n.logFile} says why.`);
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<never>} rejects when the signal is aborted
 */
async function interruption(signal) {
	return await new Promise((_, reject) => {
		if (signal.aborted) reject(signal.reason);
		signal.addEventListener('abort', () => reject(signal.reason));
	});
}

/** @param {import('./show.mjs').Shown} shown */
const results = ({ transcript, voiceId, audioFile, credits }) => `
  Transcript  ${transcript}
  Voice ID    ${voiceId}
  Audio       ${relative(process.cwd(), audioFile)}
  Credits     ${credits} (of the emulator's sandbox wallet)
`;

/** @param {import('./setup.mjs').Demo} demo */
const invitation = ({ n8n, login, service, recordings }) => `
  n8n is up   ${n8n.url}
  Login       ${login.email}
  Password    ${login.password}

  Forms       ${n8n.url}/form/transcribe-a-recording
              ${n8n.url}/form/speak-with-a-cloned-voice
  Folder      ${relative(process.cwd(), recordings)} (put a recording into it)
  Console     ${service.consoleUrl} (the emulator's wallets, keys and usage)

  Ctrl-C ends all of it. What you make in n8n is kept for the next run.
`;

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
