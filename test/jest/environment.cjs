const { ModuleMocker } = require('jest-mock');

/** @type {string | undefined} Stryker's number for the last change of a mutation test that a test noticed */
let noticed;

/**
 * Runs test files in Node's own context, where they share the packages that the process has loaded (runtime.cjs).
 * What a file changes is restored after it. There are no fake timers.
 */
module.exports = class SharedContext {
	global = globalThis;
	moduleMocker = new ModuleMocker(globalThis);
	fakeTimers = null;
	fakeTimersModern = null;
	#before = { env: process.env, variables: { ...process.env }, exit: process.exit, console };

	async setup() {}

	/**
	 * Mutation tests skip what follows the first failure: jest's `bail` ends a run only after the failing file.
	 * @param {any} event of jest-circus
	 */
	handleTestEvent(event) {
		const change = process.env.__STRYKER_ACTIVE_MUTANT__;
		if (change === undefined) return;
		if (event.name === 'test_done' && event.test.errors.length > 0) noticed = change;
		if (event.name === 'test_start' && noticed === change) event.test.mode = 'skip';
	}

	async teardown() {
		const { env, variables, exit, console } = this.#before;
		for (const name of Object.keys(env)) delete env[name];
		Object.assign(env, variables);
		Object.assign(process, { env, exit });
		Object.assign(globalThis, { console });
		// The next file would add to this one's events, results and coverage.
		for (const key of Reflect.ownKeys(globalThis)) {
			if (/^(Symbol\((JEST_STATE_SYMBOL|EVENT_HANDLERS)\)|__coverage__)$/.test(String(key))) {
				Reflect.deleteProperty(globalThis, key);
			}
		}
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	/** jest requires one, runtime.cjs compiles without it. */
	getVmContext() {
		return globalThis;
	}
};
