import path from 'node:path';
import { formatTestResults, makeEmptyAggregatedTestResult } from '@jest/test-result';

import { findFailures } from '../../.ci/findFailures.mts';

type Report = ReturnType<typeof formatTestResults>;
type FileResult = Report['testResults'][number];

/** @param statuses those of its tests */
function createReport(status: FileResult['status'], ...statuses: string[]): Report {
	const assertionResults = statuses.map((one) => ({ status: one, fullName: `test ${one}` }));
	const file = { name: path.resolve('test/a.test.ts'), status, assertionResults } as FileResult;
	return { ...formatTestResults(makeEmptyAggregatedTestResult()), testResults: [file] };
}

const endedWith1 = 'ended with 1';

it.each([
	{
		what: 'names each failed test, and not the exit code that follows from it',
		outcome: { report: createReport('failed', 'passed', 'failed'), fault: endedWith1 },
		failures: ['test/a.test.ts: test failed'],
	},
	{
		what: 'names a file that could not run',
		outcome: { report: createReport('failed'), fault: endedWith1 },
		failures: ['test/a.test.ts: could not run'],
	},
	{
		what: 'fails if all tests of a file are skipped',
		outcome: { report: createReport('passed', 'pending') },
		failures: ['test/a.test.ts: ran no test'],
	},
	{
		what: 'fails if jest fails although each test passes',
		outcome: { report: createReport('passed', 'passed'), fault: endedWith1 },
		failures: [endedWith1],
	},
	{
		what: 'fails if jest succeeds without writing results',
		outcome: {},
		failures: ['wrote no results'],
	},
	{
		what: 'says why jest wrote no results',
		outcome: { fault: 'took longer than 6 minutes' },
		failures: ['took longer than 6 minutes'],
	},
	{
		what: 'fails on a warning',
		outcome: { report: createReport('passed', 'passed'), output: 'npm warn publish a' },
		failures: ['npm warns of our settings: npm warn publish a'],
	},
	{
		what: 'passes a suite whose tests pass',
		outcome: { report: createReport('passed', 'passed', 'pending') },
		failures: [],
	},
])('.ci/run $what', ({ outcome, failures }) => {
	expect(findFailures({ output: '', isSuite: true, ...outcome })).toEqual(failures);
});

it('.ci/run needs no results of a step that runs no tests', () => {
	expect(findFailures({ output: '', isSuite: false })).toEqual([]);
});
