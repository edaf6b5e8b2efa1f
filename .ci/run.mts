/* Runs the steps of steps.mts in two lanes; see `.ci/run`. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { FormattedTestResults } from '@jest/test-result';

import { runProcess } from '../dev/lib/processes.mts';
import { findFailures } from './findFailures.mts';
import { preparation, steps, type Command, type Step } from './steps.mts';

interface StepResult {
	command: string;
	/** Number of tests that passed, plus 1 if the step itself passed. */
	passed: number;
	/** One line for each failure. */
	failures: string[];
	/** Duration in minutes:seconds. */
	time: string;
}

const reports = 'reports';

/**
 * @param startedAt in ms since 1970
 * @returns the time since then, in minutes:seconds
 */
function formatDuration(startedAt: number): string {
	const seconds = Math.round((Date.now() - startedAt) / 1_000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** @returns why the command failed; undefined if it succeeded */
async function runCommand(
	command: string,
	logFile: string,
	minutes: number,
): Promise<string | undefined> {
	const signal = AbortSignal.timeout(minutes * 60_000);
	try {
		const { code } = await runProcess(command, [], { shell: true, logFile, signal });
		return code === 0 ? undefined : `ended with ${code ?? 'a signal'}`;
	} catch (error) {
		if (signal.aborted) return `took longer than ${minutes} minutes`;
		return (error as Error).message;
	}
}

/** Runs a step. Its output is printed when it has ended, because two steps run at a time. */
async function runStep({ command, minutes, isSuite = false }: Command): Promise<StepResult> {
	const startedAt = Date.now();
	console.log(`... ${command}`);
	const name = command.replace(/\W+/g, '-');
	const logFile = path.join(reports, `${name}.log`);
	const reportFile = path.join(reports, `${name}.json`);
	for (const file of [logFile, reportFile]) rmSync(file, { force: true });
	// Without --ci, jest writes a snapshot that is missing, and passes.
	const options = isSuite ? ` -- --ci --json --outputFile=${reportFile}` : '';
	const fault = await runCommand(`${command}${options}`, logFile, minutes);

	const output = readFileSync(logFile, 'utf8');
	const report = existsSync(reportFile)
		? (JSON.parse(readFileSync(reportFile, 'utf8')) as FormattedTestResults)
		: undefined;
	const failures = findFailures({ output, fault, isSuite, report });
	const passed = (report?.numPassedTests ?? 0) + (failures.length === 0 ? 1 : 0);
	const time = formatDuration(startedAt);
	const result = { command, passed, failures: failures.map((text) => `${command}: ${text}`), time };
	console.log(`\n=== ${command}\n${output.trimEnd()}\n=== ${summarize(result)}\n`);
	return result;
}

function summarize({ command, passed, failures, time }: StepResult): string {
	return `${command}: ${passed} passed, ${failures.length} failed, ${time}`;
}

const allStartedAt = Date.now();
const results: StepResult[] = [];

/** @param waiting the steps that no lane has begun; it is shared by the lanes */
async function runLane(waiting: Command[]) {
	let step = waiting.shift();
	while (step) {
		results.push(await runStep(step));
		step = waiting.shift();
	}
}

/**
 * Prints what has passed and failed, and ends.
 *
 * @param interruptions why steps have no result
 */
function finish(interruptions: string[] = []): never {
	const failures = [...results.flatMap((result) => result.failures), ...interruptions];
	const passed = results.reduce((sum, result) => sum + result.passed, 0);
	console.log(`${results.map(summarize).join('\n')}\n${formatDuration(allStartedAt)} in total\n`);
	if (failures.length > 0) console.log(`Failed:\n${failures.join('\n')}\n`);
	console.log(`${passed} passed, ${failures.length} failed`);
	process.exit(failures.length > 0 ? 1 : 0);
}

// The guard process kills what this process has started (dev/lib/guard.cjs).
for (const signal of ['SIGINT', 'SIGTERM']) {
	process.on(signal, () => finish([`${signal} ended it before all steps had run`]));
}

/**
 * @returns the steps of the group and of the commands that the arguments name; all steps without arguments
 * @throws {Error} if an argument names none
 */
function selectSteps(): Step[] {
	const { values, positionals } = parseArgs({
		options: { group: { type: 'string' } },
		allowPositionals: true,
	});
	for (const wanted of positionals) {
		if (steps.some(({ command }) => command === wanted)) continue;
		throw new Error(`"${wanted}" is not a step of steps.mts`);
	}
	if (values.group !== undefined && !steps.some(({ group }) => group === values.group)) {
		throw new Error(`"${values.group}" is not a group of steps.mts`);
	}
	if (values.group === undefined && positionals.length === 0) return steps;
	return steps.filter(
		({ command, group }) => group === values.group || positionals.includes(command),
	);
}

let selected: Step[];
try {
	selected = selectSteps();
} catch (error) {
	finish([(error as Error).message]);
}

mkdirSync(reports, { recursive: true });
await runLane([preparation]);
if (results.every(({ failures }) => failures.length === 0)) {
	const waiting = [...selected];
	await Promise.all([runLane(waiting), runLane(waiting)]);
}
finish();
