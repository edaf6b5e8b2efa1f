/* Runs the steps below in two lanes; see `.ci/run`. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { runProcess } from '../dev/lib/processes.mts';
import { oldestTested } from '../dev/n8n/versions.mts';

interface Step {
	command: string;
	/** Whether the command runs jest, whose tests are counted. */
	isSuite?: boolean;
	/** Time limit: about twice the usual time or more. */
	minutes: number;
}

/** The build, which all suites share. */
const preparation: Step = { command: 'node --import tsx dev/scripts/prepare.mts', minutes: 6 };

/**
 * The lanes take the steps in this order. The first one begins with the suites on a real n8n, which they install, the other
 * one with the checks. Long steps come before short ones, so that both lanes end at about the same time.
 */
const steps: Step[] = [
	{ command: 'npm run test:versions', minutes: 30, isSuite: true },
	{ command: 'npm run types', minutes: 6 },
	{ command: 'npm run lint', minutes: 10 },
	{ command: 'npx prettier --check .', minutes: 2 },
	{ command: 'npm run docs -- --check', minutes: 2 },
	{ command: 'npm test', minutes: 15, isSuite: true },
	{ command: 'npm run test:browser', minutes: 30, isSuite: true },
	{ command: 'npm run test:full -- test/full/examples', minutes: 30, isSuite: true },
	{
		command: 'npm run test:full -- --testPathIgnorePatterns /node_modules/ full/examples',
		minutes: 30,
		isSuite: true,
	},
	{ command: 'npm run test:queue', minutes: 20, isSuite: true },
	{ command: 'npm run demo -- --once --folder reports/demo', minutes: 6 },
	{
		command: `TEST_N8N=${oldestTested} npm test -- test/engine test/credits`,
		minutes: 15,
		isSuite: true,
	},
];

/**
 * Warnings that this repository must not cause, by what is wrong. A new release of another package can cause further
 * warnings, which are ignored: unsupported engines, deprecated packages, and calls of deprecated functions.
 */
const warnings = {
	'the lint has warnings': /^.*\(\d+ errors?, [1-9]\d* warnings?\).*$/gm,
	'npm warns of our settings': /^npm warn (?:Unknown project config|publish|gitignore).*$/gim,
	'Node warns of our code':
		/^\(node:\d+\) (?!.*(?:Deprecation|Experimental)Warning).*Warning: .*$/gm,
	'a test leaves something open':
		/^(?:A worker process has failed to exit gracefully|Jest did not exit ).*$/gm,
};

/** What this program reads of the file that `jest --json` writes. */
interface Report {
	numPassedTests: number;
	testResults: Array<{
		name: string;
		status: string;
		assertionResults: Array<{ status: string; fullName: string }>;
	}>;
}

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
const startedAt = Date.now();
const results: StepResult[] = [];

/**
 * @param since in ms since 1970
 * @returns the time since then, in minutes:seconds
 */
function formatDuration(since: number): string {
	const seconds = Math.round((Date.now() - since) / 1_000);
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

function findWarnings(output: string): string[] {
	const plain = stripVTControlCharacters(output);
	return Object.entries(warnings).flatMap(([problem, pattern]) =>
		(plain.match(pattern) ?? []).map((line) => `${problem}: ${line}`),
	);
}

function findFailedTests({ testResults }: Report): string[] {
	return testResults.flatMap(({ name, status, assertionResults }) => {
		const file = path.relative(process.cwd(), name);
		const failed = assertionResults.filter((test) => test.status === 'failed');
		if (status === 'failed' && failed.length === 0) return [`${file}: could not run`];
		return failed.map(({ fullName }) => `${file}: ${fullName}`);
	});
}

/** Runs a step. Its output is printed when it has ended, because two steps run at a time. */
async function runStep({ command, minutes, isSuite = false }: Step): Promise<void> {
	const since = Date.now();
	console.log(`... ${command}`);
	const name = command.replace(/\W+/g, '-');
	const logFile = path.join(reports, `${name}.log`);
	const reportFile = path.join(reports, `${name}.json`);
	for (const file of [logFile, reportFile]) rmSync(file, { force: true });
	// Without --ci, jest writes a snapshot that is missing, and passes.
	const options = `${command.includes(' -- ') ? '' : ' --'} --ci --json --outputFile=${reportFile}`;
	const fault = await runCommand(isSuite ? command + options : command, logFile, minutes);

	const output = readFileSync(logFile, 'utf8');
	const report = existsSync(reportFile)
		? (JSON.parse(readFileSync(reportFile, 'utf8')) as Report)
		: undefined;
	const failedTests = report ? findFailedTests(report) : [];
	const failures = [...findWarnings(output), ...failedTests];
	// A failed test makes its step end with 1. That is one failure, not two.
	if (fault !== undefined && failedTests.length === 0) failures.push(fault);
	const passed = (report?.numPassedTests ?? 0) + (failures.length === 0 ? 1 : 0);
	const result = {
		command,
		passed,
		failures: failures.map((text) => `${command}: ${text}`),
		time: formatDuration(since),
	};
	results.push(result);
	console.log(`\n=== ${command}\n${output.trimEnd()}\n=== ${summarize(result)}\n`);
}

function summarize({ command, passed, failures, time }: StepResult): string {
	return `${command}: ${passed} passed, ${failures.length} failed, ${time}`;
}

/** @param waiting the steps that no lane has begun; it is shared by the lanes */
async function runLane(waiting: Step[]) {
	let step = waiting.shift();
	while (step) {
		await runStep(step);
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
	console.log(`${results.map(summarize).join('\n')}\n${formatDuration(startedAt)} in total\n`);
	if (failures.length > 0) console.log(`Failed:\n${failures.join('\n')}\n`);
	console.log(`${passed} passed, ${failures.length} failed`);
	process.exit(failures.length > 0 ? 1 : 0);
}

// The guard process kills what this process has started (dev/lib/guard.cjs).
for (const signal of ['SIGINT', 'SIGTERM']) {
	process.on(signal, () => finish([`${signal} ended it before all steps had run`]));
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((one) => !steps.some(({ command }) => command === one));
if (unknown.length > 0) finish(unknown.map((one) => `"${one}" is not a step of .ci/run.mts`));
const waiting = steps.filter(({ command }) => wanted.length === 0 || wanted.includes(command));
mkdirSync(reports, { recursive: true });
await runLane([preparation]);
if (results.every(({ failures }) => failures.length === 0)) {
	await Promise.all([runLane(waiting), runLane(waiting)]);
}
finish();
