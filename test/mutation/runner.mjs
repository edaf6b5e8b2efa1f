import {
	commonTokens,
	declareFactoryPlugin,
	PluginKind,
	tokens,
} from '@stryker-mutator/api/plugin';
import { DryRunStatus, MutantRunStatus, TestStatus } from '@stryker-mutator/api/test-runner';

import { JestFiles } from './jestFiles.mjs';
import { Memory } from './memory.mjs';

/**
 * How long the tests of a mutant may take, as they took without it: one that the most likely tests do not notice
 * then counts as not noticed.
 */
const mostSeconds = Number(process.env.MUTATION_SECONDS ?? Infinity);

/**
 * Runs jest's tests within the process that Stryker gives it: for a mutant only the tests that reach it, up to
 * the first that fails because of it: first those that noticed others of its file, then the files that noticed most in
 * the least time.
 */
class MutationRunner {
	static inject = tokens(commonTokens.logger);

	/** What the code with the mutants looks at. */
	mutants = (globalThis.__stryker__ ??= {});

	/** The ids of mutants that are run while files are loaded or prepared. */
	whileLoading = new Set();

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
			this.reachedWhileLoading(done.tests);
		}
		Memory.begin(tests, [...this.whileLoading]);
		const { mutantCoverage } = this.mutants;
		return { status: DryRunStatus.Complete, tests, mutantCoverage };
	}

	/** What runs while a file is loaded or prepared, its tests stand on: each of them reaches it. */
	reachedWhileLoading(tests) {
		const { mutantCoverage } = this.mutants;
		if (mutantCoverage === undefined) return;
		for (const id of Object.keys(mutantCoverage.static)) this.whileLoading.add(id);
		for (const { id } of tests) {
			mutantCoverage.perTest[id] = { ...mutantCoverage.static, ...mutantCoverage.perTest[id] };
		}
		mutantCoverage.static = {};
	}

	async mutantRun({ activeMutant, testFilter, hitLimit }) {
		// Stryker goes on with a new process then.
		if (this.hung) throw new Error('A test of the mutant before may still be under way');
		this.memory ??= new Memory();
		this.mutants.hitLimit = hitLimit;
		const ids = this.memory.testsOf(activeMutant, testFilter);
		const likely = this.memory.killersOf(activeMutant.fileName, new Set(ids));
		const inOrder = [likely, ids].flatMap((each) =>
			this.memory.byFile(each, activeMutant.fileName),
		);
		let seconds = 0;
		for (const [file, wanted] of inOrder) {
			if (seconds > mostSeconds) break;
			seconds += this.memory.secondsOf(wanted);
			const failure = await this.failureIn(file, wanted, activeMutant.id);
			if (failure === undefined) continue;
			const { id, failureMessage } = failure;
			this.memory.noticed(activeMutant.fileName, id);
			this.hung = failureMessage === undefined || /Exceeded timeout of/.test(failureMessage);
			if (this.hung) return { status: MutantRunStatus.Timeout, reason: id };
			const nrOfTests = ids.length;
			return { status: MutantRunStatus.Killed, killedBy: [id], failureMessage, nrOfTests };
		}
		return { status: MutantRunStatus.Survived, nrOfTests: ids.length };
	}

	/** The first test of a file that fails because of the mutant. */
	async failureIn(file, wanted, activeMutant) {
		const left = new Set(wanted);
		while (left.size > 0) {
			const { failure, ran } = await this.runUntilFailure(file, left, activeMutant);
			if (failure?.failureMessage === undefined) return failure;
			// On a busy machine others fail too. Some need what the tests before them leave behind.
			for (const tests of [[failure.id], ran]) {
				const without = await this.runUntilFailure(file, new Set(tests));
				if (without.failure) continue;
				const again = await this.runUntilFailure(file, new Set(tests), activeMutant);
				if (again.failure) return again.failure;
			}
			this.log.warn(
				`Not surely because of mutant ${activeMutant}: ${failure.id} ${failure.failureMessage}`,
			);
			for (const id of ran) left.delete(id);
		}
		return undefined;
	}

	/** Runs tests of a file until one fails; the failure is without a message if the code goes round in circles. */
	async runUntilFailure(file, wanted, activeMutant) {
		const [first] = wanted;
		Object.assign(this.mutants, { activeMutant, hitCount: this.mutants.hitLimit && 0 });
		const { error, tests } = await this.files.run(file, {
			wanted,
			bail: true,
			// With a mutant a test may wait for ever.
			limit: (id) => 5000 + 5 * (this.memory.times.get(id)?.[1] ?? 0),
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
