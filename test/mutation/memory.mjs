import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** These stand in the folder for what a run leaves, for every process that runs some of the mutants. */
const firstRunFile = path.resolve('reports/first-run.json');
const killersFile = path.resolve('reports/killers.txt');

/** How many tests are tried first that noticed other mutants of the same file. */
const mostKillers = 12;

/** What a file of tests takes beside its tests, in milliseconds, about. */
const startOfFile = 300;

/** The sources that make the node's description, and the tests that look at it. */
const describing =
	/\/(descriptions|resources)\/|\/(n8n\/route|endpoint|VoiceSpeech\.node|VoiceSpeechApi\.credentials)\.ts$/;
const testsOfDescription =
	/\/test\/(package\/(description|panels)|credentials|engine\/(operations|tenth-operation|bad-input|credential)|errors\/refusals|docs\/operations)/;

/** What the processes of one mutation run know of its tests. */
export class Memory {
	/**
	 * Writes down what the run without mutants has shown.
	 * @param tests all of them, with their file, and the milliseconds that they took
	 * @param whileLoading the ids of mutants that are run while files are loaded
	 */
	static begin(tests, whileLoading) {
		const times = tests.map(({ id, fileName, timeSpentMs }) => [id, [fileName, timeSpentMs]]);
		writeFileSync(firstRunFile, JSON.stringify({ times, whileLoading }));
		writeFileSync(killersFile, '');
	}

	constructor() {
		const { times, whileLoading } = JSON.parse(readFileSync(firstRunFile, 'utf8'));
		/** A test's file and milliseconds, by its id. */
		this.times = new Map(times);
		this.whileLoading = new Set(whileLoading);
	}

	/**
	 * The tests that a mutant needs. All load the description, so a change of it would need all: only those that
	 * look at it are run.
	 */
	testsOf({ id, fileName }, testFilter) {
		const ids = testFilter ?? [...this.times.keys()];
		if (!this.whileLoading.has(id) || !describing.test(fileName)) return ids;
		return ids.filter((test) => testsOfDescription.test(this.times.get(test)?.[0]));
	}

	/** How long tests took without a mutant. */
	secondsOf(ids) {
		return [...ids].reduce((sum, id) => sum + this.times.get(id)[1], startOfFile) / 1000;
	}

	/** Notes that a test noticed a mutant of a file. */
	noticed(fileName, id) {
		appendFileSync(killersFile, `${JSON.stringify([fileName, id])}\n`);
	}

	/** Mutants that were noticed until now: their file, and the id of the test. */
	get kills() {
		const lines = readFileSync(killersFile, 'utf8').split('\n').filter(Boolean);
		return lines.map((line) => JSON.parse(line));
	}

	/** Those of the tests that noticed other mutants of a file last. */
	killersOf(fileName, tests) {
		const killers = this.kills.filter(([file]) => file === fileName);
		const ids = killers.map(([, id]) => id).filter((id) => tests.has(id));
		return [...new Set(ids.reverse())].slice(0, mostKillers);
	}

	/**
	 * Tests by their file: first those that noticed many mutants of the same folder in little time, then those in
	 * which the tests take least.
	 * @returns pairs of a file and the ids of its tests
	 */
	byFile(ids, fileName) {
		const files = new Map();
		const takes = new Map();
		for (const id of ids) {
			const [file, took] = this.times.get(id);
			files.set(file, (files.get(file) ?? new Set()).add(id));
			takes.set(file, (takes.get(file) ?? startOfFile) + took);
		}
		const noticed = new Map();
		for (const [file, id] of this.kills) {
			if (path.dirname(file) !== path.dirname(fileName)) continue;
			const by = this.times.get(id)?.[0];
			noticed.set(by, (noticed.get(by) ?? 0) + 1);
		}
		const rate = (file) => (noticed.get(file) ?? 0) / takes.get(file);
		return [...files].sort(
			([one], [other]) => rate(other) - rate(one) || takes.get(one) - takes.get(other),
		);
	}
}
