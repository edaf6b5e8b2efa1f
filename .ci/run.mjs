/** Runs the README's own commands one after the other; see `.ci/run`. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import results from './results.cjs';

const MINUTE = 60_000;

/** The limits add up to 85 minutes, and a run should take half of that. A step with `report` runs jest and is judged by its tests. */
const steps = [
	{ command: 'node scripts/install-missing.mjs', minutes: 4, others: 'need it' },
	{ command: 'npm run build', minutes: 1 },
	{ command: 'npm run types', minutes: 2 },
	{ command: 'npm run lint', minutes: 2 },
	{ command: 'npx prettier --check .', minutes: 1 },
	{ command: 'npm run scan', minutes: 1 },
	{ command: 'npm test', minutes: 6, report: 'reports/test.json' },
	{ command: 'npm run test:full', minutes: 18, report: 'reports/test-full.json' },
	{ command: 'npm run demo -- --once', minutes: 6 },
	{ command: 'npm run test:browser', minutes: 8, report: 'reports/test-browser.json' },
	{ command: 'npm run test:hosts', minutes: 14, report: 'reports/test-hosts.json' },
	{ command: 'npm run test:engines', minutes: 6, report: 'reports/test-engines.json' },
	{ command: 'npm run test:queue', minutes: 13, report: 'reports/test-queue.json' },
	{ command: 'npm run release:check', minutes: 3 },
];

/** Ends the step under way with all that it started. */
let endStep = () => {};

for (const signal of ['SIGINT', 'SIGTERM']) {
	process.on(signal, () => {
		endStep();
		process.exit(1);
	});
}

/** @returns {Promise<{fault?: string, output: string}>} */
async function run({ command, minutes, report }) {
	const line = report ? withReport(command, report) : command;
	const child = spawn(line, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
	endStep = () => process.kill(-child.pid, 'SIGKILL');
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk) => {
			output += chunk;
			process.stdout.write(chunk);
		});
	}
	return await new Promise((resolve) => {
		const limit = setTimeout(() => {
			endStep();
			resolve({ fault: `took longer than ${minutes} minutes`, output });
		}, minutes * MINUTE);
		child.on('close', (code, signal) => {
			clearTimeout(limit);
			endStep = () => {};
			resolve({ fault: code === 0 ? undefined : `ended with ${code ?? signal}`, output });
		});
	});
}

/** @param {string} command @param {string} report where jest writes what each test came to */
function withReport(command, report) {
	rmSync(report, { force: true });
	mkdirSync(path.dirname(report), { recursive: true });
	return `${command} -- --json --outputFile=${report}`;
}

/** @param {string} report */
function readReport(report) {
	if (!existsSync(report)) return { passed: 0, faults: ['jest wrote no results'] };
	const read = results.readJestResults(JSON.parse(readFileSync(report, 'utf8')));
	const relative = (fault) => fault.replaceAll(process.cwd() + path.sep, '');
	return { passed: read.passed, faults: read.faults.map(relative) };
}

let passed = 0;
const failures = [];
for (const step of steps) {
	console.log(`\n=== ${step.command}`);
	const { fault, output } = await run(step);
	const tests = step.report ? readReport(step.report) : { passed: 0, faults: [] };
	const faults = [...tests.faults, ...results.findWarnings(output)];
	// A failed test makes its step end with 1: that is one failure, not two.
	if (fault && faults.length === 0) faults.push(fault);

	passed += tests.passed + (faults.length === 0 ? 1 : 0);
	failures.push(...faults.map((text) => `${step.command}: ${text}`));
	console.log(`=== ${step.command}: ${faults.length === 0 ? 'passed' : 'FAILED'}`);
	if (step.others && faults.length > 0) {
		failures.push('the other steps were not run');
		break;
	}
}

console.log(failures.length > 0 ? `\nFailed:\n${failures.join('\n')}\n` : '');
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;
