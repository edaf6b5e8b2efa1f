/** How a step of `.ci/run` is judged, apart from its exit code. */

/** Warnings that are ours to remove. Machines may hold npm settings of their own: not ours. */
const WARNINGS = [
	/^.*\(\d+ errors?, [1-9]\d* warnings?\).*$/gm,
	/^npm warn (?!deprecated|Unknown (?:user|env|global|builtin|cli) config).*$/gim,
	// Not that one: jest asks for the flag where a test loads the ES modules of demo or emulator.
	/^\(node:\d+\) (?!ExperimentalWarning: VM Modules).*Warning: .*$/gm,
	/^ts-jest\[.*\(WARN\).*$/gm,
	/^A worker process has failed to exit gracefully.*$/gm,
	/^Jest did not exit .*$/gm,
];

/**
 * @param {string} output what a step printed
 * @returns {string[]} the lines that are warnings of ours
 */
function findWarnings(output) {
	const plain = output.replace(/\u001b\[[0-9;]*m/g, '');
	return WARNINGS.flatMap((pattern) => plain.match(pattern) ?? []);
}

/** @typedef {{name: string, status: string, assertionResults: {status: string, fullName: string}[]}} Suite */

/**
 * @param {{testResults: Suite[], wasInterrupted?: boolean}} results what `jest --json --outputFile` wrote
 * @returns {{passed: number, skipped: number, faults: string[]}} how many tests passed and were skipped, and a line for
 * each fault: a failed test, a suite that could not run, a suite that ran no test at all
 */
function readJestResults(results) {
	/** @type {string[]} */
	const faults = [];
	let passed = 0;
	let skipped = 0;
	for (const suite of results.testResults) {
		const ran = suite.assertionResults.filter(({ status }) => /^(passed|failed)$/.test(status));
		const failed = ran.filter(({ status }) => status === 'failed');
		passed += ran.length - failed.length;
		skipped += suite.assertionResults.length - ran.length;
		faults.push(...failed.map(({ fullName }) => `${suite.name}: ${fullName}`));
		if (ran.length === 0) faults.push(`${suite.name}: ran no test`);
		else if (suite.status === 'failed' && failed.length === 0) faults.push(`${suite.name}: failed`);
	}
	if (results.testResults.length === 0) faults.push('there was no suite to run');
	if (results.wasInterrupted) faults.push('the run was interrupted');
	return { passed, skipped, faults };
}

module.exports = { findWarnings, readJestResults };
