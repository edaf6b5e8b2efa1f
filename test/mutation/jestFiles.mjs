import { createRequire } from 'node:module';
import path from 'node:path';

import { SearchSource } from '@jest/core';
import { TestStatus } from '@stryker-mutator/api/test-runner';
import { readConfig } from 'jest-config';
import JestRunner from 'jest-runner';
import Runtime from 'jest-runtime';

import { orders } from './environment.cjs';

const require = createRequire(import.meta.url);

/** Those files of tests alone, where not all are to run. */
const wanted = new RegExp(process.env.MUTATION_TESTS ?? '');

const statuses = { passed: TestStatus.Success, failed: TestStatus.Failed };

function outcome(file, { ancestorTitles, title, status, duration, failureMessages }) {
	const name = [...ancestorTitles, title].join(' ');
	return {
		id: `${path.relative(process.cwd(), file)} ${name}`,
		name,
		fileName: file,
		status: statuses[status],
		timeSpentMs: duration ?? 0,
		failureMessage: failureMessages.join('\n'),
	};
}

/** The files of tests in the folder of this process, which jest runs within it, one at a time. */
export class JestFiles {
	static async open() {
		const settings = { ...require('./jest.config.cjs'), rootDir: process.cwd() };
		const argv = { config: JSON.stringify(settings), silent: true, watchman: false };
		const { globalConfig, projectConfig } = await readConfig(argv, process.cwd());
		const context = await Runtime.createContext(projectConfig, {
			console,
			maxWorkers: 1,
			watch: false,
			watchman: false,
		});
		return Object.assign(new JestFiles(), { globalConfig, projectConfig, context });
	}

	async list() {
		const search = new SearchSource(this.context);
		const { tests } = await search.getTestPaths(this.globalConfig, this.projectConfig);
		return tests.map((test) => test.path).filter((file) => wanted.test(file));
	}

	/**
	 * Runs tests of a file, and gives what came of those that ran, and the error that belongs to none of them.
	 * @param wanted the ids of the tests to run, all of them if undefined
	 * @param bail whether to end at the first that fails
	 * @param limit gives how long a test may take, by its id
	 */
	async run(file, { wanted, bail, limit }) {
		Object.assign(orders, { wanted, bail, limit });
		const runner = new JestRunner(this.globalConfig, {});
		let done;
		runner.on('test-file-failure', ([, testExecError]) => (done = { testExecError }));
		runner.on('test-file-success', ([, result]) => (done = result));
		const watcher = { isInterrupted: () => false };
		await runner.runTests([{ context: this.context, path: file }], watcher, { serial: true });
		const { testExecError: error, testResults = [] } = done;
		return {
			error: error && `${error.message} ${error.stack}`,
			tests: testResults
				.filter(({ status }) => status in statuses)
				.map((test) => outcome(file, test)),
		};
	}
}
