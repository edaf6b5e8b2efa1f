const { ModuleMocker } = require('jest-mock');

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
