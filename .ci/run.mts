/** Runs the steps of steps.cjs, in two lanes; see `.ci/run`. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { startProcess } from '../dev/lib/processes.mts';
import results from './results.cjs';
import plan from './steps.cjs';
import type { Step } from './steps.cjs';

// The guard of startProcess ends what still runs.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** @param since in ms since 1970 */
function secondsSince(since: number) {
	const seconds = Math.round((Date.now() - since) / 1_000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** @returns `ended`: how it ended */
async function execute({
	command,
	minutes,
	report,
}: Step): Promise<{ succeeded: boolean; ended: string; output: string }> {
	const line = report ? withReport(command, report) : command;
	const child = startProcess(line, [], {
		shell: true,
		stdio: ['ignore', 'pipe', 'pipe'],
		...{ timeout: minutes * 60_000, killSignal: 'SIGKILL' },
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream?.on('data', (chunk) => (output += chunk));
	}
	const [code, signal] = await once(child, 'close');
	const late = `took longer than ${minutes} minutes`;
	return {
		succeeded: code === 0,
		ended: child.killed ? late : `ended with ${code ?? signal}`,
		output,
	};
}

/** @param report the file for jest's results */
function withReport(command: string, report: string) {
	rmSync(report, { force: true });
	mkdirSync(path.dirname(report), { recursive: true });
	// Without --ci, jest writes a snapshot that is missing, and passes.
	return `${command} -- --ci --json --outputFile=${report}`;
}

/** @param ended how the step ended */
function readReport(report: string, ended: string) {
	if (!existsSync(report)) return { passed: 0, skipped: 0, faults: [`${ended}, without results`] };
	const read = results.readJestResults(JSON.parse(readFileSync(report, 'utf8')));
	const relative = (fault: string) => fault.replaceAll(process.cwd() + path.sep, '');
	return { ...read, faults: read.faults.map(relative) };
}

const begun = Date.now();
let passed = 0;
const failures: string[] = [];
const times: string[] = [];

/**
 * Prints the output of a step when it has ended: two steps run at a time.
 * @returns whether it passed
 */
async function run(step: Step): Promise<boolean> {
	const { command, report } = step;
	const since = Date.now();
	console.log(`... ${command} (started at ${secondsSince(begun)})`);
	const { succeeded, ended, output } = await execute(step);
	const tests = report ? readReport(report, ended) : undefined;
	const faults = [...(tests?.faults ?? []), ...results.findWarnings(output)];
	// A failed test makes its step end with 1: that is one failure, not two.
	if (!succeeded && faults.length === 0) faults.push(ended);

	passed += (tests?.passed ?? 0) + (faults.length === 0 ? 1 : 0);
	failures.push(...faults.map((text) => `${command}: ${text}`));
	const counts = tests ? ` (${tests.passed} tests passed, ${tests.skipped} skipped)` : '';
	const verdict = `${command}: ${faults.length === 0 ? 'passed' : 'FAILED'}, ${secondsSince(since)}${counts}`;
	times.push(verdict);
	console.log(`\n=== ${command}\n${output.trimEnd()}\n=== ${verdict}\n`);
	return faults.length === 0;
}

async function runAll() {
	for (const step of plan.first) {
		if (!(await run(step))) return void failures.push('the other steps were not run');
	}
	const waiting = [...plan.rest];
	const lane = async () => {
		for (let step = waiting.shift(); step; step = waiting.shift()) await run(step);
	};
	await Promise.all(Array.from({ length: plan.lanes }, lane));
}

await runAll();
console.log(`Times (minutes:seconds), ${secondsSince(begun)} in total:\n${times.join('\n')}\n`);
if (failures.length > 0) console.log(`Failed:\n${failures.join('\n')}\n`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;
