import path from 'node:path';
import type { FormattedTestResults } from '@jest/test-result';

import { findWarnings } from './findWarnings.mts';

/** How the command of a step ended. */
export interface Outcome {
	/** What it printed. */
	output: string;
	/** Why it failed; undefined if it succeeded. */
	fault?: string;
	/** Whether it runs jest. */
	isSuite: boolean;
	/** What `jest --json` wrote, if it did. */
	report?: FormattedTestResults;
}

/** @returns a line for each reason why the step has not passed */
export function findFailures({ output, fault, isSuite, report }: Outcome): string[] {
	const failedTests = report ? findFailedTests(report) : [];
	const failures = [...findWarnings(output), ...failedTests];
	// A failed test makes its step end with 1. That is one failure, not two.
	if (fault !== undefined && failedTests.length === 0) failures.push(fault);
	if (isSuite && !report && fault === undefined) failures.push('wrote no results');
	return failures;
}

function findFailedTests({ testResults }: FormattedTestResults): string[] {
	return testResults.flatMap(({ name, status, assertionResults }) => {
		const file = path.relative(process.cwd(), name);
		const failed = assertionResults.filter((test) => test.status === 'failed');
		if (status === 'failed' && failed.length === 0) return [`${file}: could not run`];
		const hasRun = assertionResults.some((test) => test.status === 'passed') || failed.length > 0;
		if (!hasRun) return [`${file}: ran no test`];
		return failed.map(({ fullName }) => `${file}: ${fullName}`);
	});
}
