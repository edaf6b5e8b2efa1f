import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** These stand in the copy of the project that holds the mutants, for every process that runs some of them. */
const firstRunFile = path.resolve('first-run.json');
const killersFile = path.resolve('killers.txt');

/** How many tests are tried first that noticed other mutants of the same file. */
const mostKillers = 12;

/** The sources that make the node's description, and the tests that look at it. */
const describing =
	/\/(fields|resources)\/|\/(menu|endpoint|VoiceSpeech\.node|VoiceSpeechApi\.credentials)\.ts$/;
const testsOfDescription =
	/\/test\/(package\/(description|panels)|credentials|engine\/(operations|tenth-operation)|docs\/operations)/;

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

	/** Notes that a test noticed a mutant of a file. */
	noticed(fileName, id) {
		appendFileSync(killersFile, `${JSON.stringify([fileName, id])}\n`);
	}

	/** Those of the tests that noticed other mutants of a file last. */
	killersOf(fileName, tests) {
		const lines = readFileSync(killersFile, 'utf8').split('\n').filter(Boolean);
		const killers = lines.map((line) => JSON.parse(line)).filter(([file]) => file === fileName);
		const ids = killers.map(([, id]) => id).filter((id) => tests.has(id));
		return [...new Set(ids.reverse())].slice(0, mostKillers);
	}
}
