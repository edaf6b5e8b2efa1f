import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import {
	commonTokens,
	declareFactoryPlugin,
	PluginKind,
	tokens,
} from '@stryker-mutator/api/plugin';
import { DryRunStatus, MutantRunStatus, TestStatus } from '@stryker-mutator/api/test-runner';

import { JestFiles } from './jestFiles.mjs';

/** Stands in the copy of the project that holds the mutants, for every process that runs some of them. */
const timesFile = path.resolve('times.json');

/**
 * Runs jest's tests within the process that Stryker gives it: for a mutant only the tests that reach it, those files
 * first that take least, up to the first test that fails twice.
 */
class MutationRunner {
	static inject = tokens(commonTokens.logger);

	/** What the code with the mutants looks at. */
	mutants = (globalThis.__stryker__ ??= {});

	constructor(log) {
		this.log = log;
	}

	capabilities() {
		return { reloadEnvironment: true };
	}

	async init() {
		process.env.NODE_ENV = 'test';
		this.files = await JestFiles.open();
	}

	async dryRun() {
		const tests = [];
		for (const file of await this.files.list()) {
			const done = await this.files.run(file, {});
			if (done.error) return { status: DryRunStatus.Error, errorMessage: done.error };
			tests.push(...done.tests);
		}
		const times = tests.map(({ id, fileName, timeSpentMs }) => [id, [fileName, timeSpentMs]]);
		writeFileSync(timesFile, JSON.stringify(times));
		const { mutantCoverage } = this.mutants;
		return { status: DryRunStatus.Complete, tests, mutantCoverage };
	}

	async mutantRun({ activeMutant, testFilter, hitLimit }) {
		// Stryker goes on with a new process then.
		if (this.hung) throw new Error('A test of the mutant before may still be under way');
		this.times ??= new Map(JSON.parse(readFileSync(timesFile, 'utf8')));
		Object.assign(this.mutants, { activeMutant: activeMutant.id, hitLimit });
		const ids = testFilter ?? [...this.times.keys()];
		for (const [file, wanted] of this.byFile(ids)) {
			const failure = await this.failureTwiceIn(file, wanted);
			if (failure === undefined) continue;
			const { id, failureMessage } = failure;
			this.hung = failureMessage === undefined || /Exceeded timeout of/.test(failureMessage);
			if (this.hung) return { status: MutantRunStatus.Timeout, reason: id };
			const nrOfTests = ids.length;
			return { status: MutantRunStatus.Killed, killedBy: [id], failureMessage, nrOfTests };
		}
		return { status: MutantRunStatus.Survived, nrOfTests: ids.length };
	}

	/** Tests by their file, the files first in which they take least. */
	byFile(ids) {
		const files = new Map();
		const takes = new Map();
		for (const id of ids) {
			const [file, took] = this.times.get(id);
			files.set(file, (files.get(file) ?? new Set()).add(id));
			takes.set(file, (takes.get(file) ?? 0) + took);
		}
		return [...files].sort(([one], [other]) => takes.get(one) - takes.get(other));
	}

	/** The first test of a file that fails, and does so again when it is run alone: a busy machine fails some too. */
	async failureTwiceIn(file, wanted) {
		const left = new Set(wanted);
		while (left.size > 0) {
			const { failure, ran } = await this.failureIn(file, left);
			if (failure?.failureMessage === undefined) return failure;
			const again = await this.failureIn(file, new Set([failure.id]));
			if (again.failure) return again.failure;
			const { id, failureMessage } = failure;
			this.log.warn(
				`Failed once only (mutant ${this.mutants.activeMutant}): ${id}: ${failureMessage}`,
			);
			for (const done of ran) left.delete(done);
		}
		return undefined;
	}

	/** Runs tests of a file until one fails. One without a message goes round in circles. */
	async failureIn(file, wanted) {
		const [first] = wanted;
		this.mutants.hitCount = this.mutants.hitLimit && 0;
		const { error, tests } = await this.files.run(file, {
			wanted,
			bail: true,
			// With a mutant a test may wait for ever.
			limit: (id) => 8000 + 5 * (this.times.get(id)?.[1] ?? 0),
		});
		if (this.mutants.hitCount > this.mutants.hitLimit)
			return { failure: { id: first }, ran: wanted };
		const failed = tests.find(({ status }) => status === TestStatus.Failed);
		if (failed) return { failure: failed, ran: tests.map(({ id }) => id) };
		return { failure: error && { id: first, failureMessage: error }, ran: wanted };
	}
}

function create(injector) {
	return injector.injectClass(MutationRunner);
}
create.inject = tokens(commonTokens.injector);

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'mutation', create)];
