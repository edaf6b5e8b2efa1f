/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { createRequire } from 'node:module';
import { packageJson, read, trackedFiles } from './repository';

const { findWarnings, readJestResults } = createRequire(__filename)('../../.ci/results.cjs') as {
	findWarnings(output: string): string[];
	readJestResults(results: object): { passed: number; skipped: number; faults: string[] };
};

interface Step {
	command: string;
	report?: string;
}

const plan = createRequire(__filename)('../../.ci/steps.cjs') as {
	rest: Step[];
};

const suite = (name: string, statuses: string[], status = 'passed') => ({
	name,
	status,
	assertionResults: statuses.map((each, index) => ({ status: each, fullName: `test ${index}` })),
});

describe('.ci/run', () => {
	it('runs every suite but the mutation tests, and judges it by its tests', () => {
		const suites = Object.keys(packageJson.scripts).filter((name) =>
			/^test(?!:mutation)/.test(name),
		);
		const judged = plan.rest.filter(({ report }) => report !== undefined);
		const names = judged.map(({ command }) => command.replace(/^npm (run )?/, ''));
		expect(names.sort()).toEqual(suites.sort());
	});

	it('has no test that keeps the others of its file from running', () => {
		const focused = /\b(?:(?:it|test|describe)(?:\.\w+)*\.only|f(?:it|describe))[(.]/;
		const tests = trackedFiles.filter((file) => file.endsWith('.test.ts'));
		expect(tests.filter((file) => focused.test(read(file)))).toEqual([]);
	});

	it('counts the tests that passed', () => {
		const testResults = [suite('a', ['passed', 'passed', 'pending'])];
		expect(readJestResults({ testResults })).toEqual({ passed: 2, skipped: 1, faults: [] });
	});

	it.each([
		['a failed test', [suite('a', ['failed'], 'failed')], ['a: test 0']],
		['a suite without a test', [suite('a', [])], ['a: ran no test']],
		['a suite whose tests are all skipped', [suite('a', ['pending', 'todo'])], ['a: ran no test']],
		['a suite that fails beside its tests', [suite('a', ['passed'], 'failed')], ['a: failed']],
		['no suite', [], ['there was no suite to run']],
	])('takes %s for a failure', (_what, testResults, faults) => {
		expect(readJestResults({ testResults }).faults).toEqual(faults);
	});

	it.each([
		'\u001b[31m✖ 1 problem (0 errors, 1 warning)\u001b[0m',
		'npm warn EBADENGINE Unsupported engine',
		'(node:12) DeprecationWarning: old',
		'ts-jest[config] (WARN) message',
		'A worker process has failed to exit gracefully and has been force exited.',
	])('takes the warning "%s" for a failure', (line) => {
		expect(findWarnings(`before\n${line}\nafter`)).toHaveLength(1);
	});

	it('lets pass what is not ours', () => {
		const output =
			'(node:1) ExperimentalWarning: VM Modules is an experimental feature\n' +
			'npm warn Unknown user config "x".\n✖ 0 problems (0 errors, 0 warnings)\nall well';
		expect(findWarnings(output)).toEqual([]);
	});
});
