const path = require('node:path');

const { ModuleMocker } = require('jest-mock');

/** Which tests are run, and how (jestFiles.mjs): one file runs at a time. */
const orders = { wanted: undefined, bail: undefined, limit: undefined };

/** A test's id: the file, and what jest shows of the test. */
function testId(file, test) {
	const names = [];
	for (let part = test; part.parent; part = part.parent) names.unshift(part.name);
	return `${file} ${names.join(' ')}`;
}

function* testsOf(block) {
	for (const child of block.children) {
		if (child.type === 'test') yield child;
		else yield* testsOf(child);
	}
}

/**
 * Runs tests in Node's own context: modules that the process holds already are then of one realm with them. What a
 * file leaves on the globals is taken back after it.
 */
class MainContext {
	global = globalThis;
	moduleMocker = new ModuleMocker(globalThis);
	fakeTimers = null;
	fakeTimersModern = null;

	constructor(_config, { testPath }) {
		this.file = path.relative(process.cwd(), testPath);
		this.before = {
			env: { ...process.env },
			exit: process.exit,
			console: globalThis.console,
			prepareStackTrace: Error.prepareStackTrace,
		};
	}

	/** Called after jest has installed what makes stack traces long and slow. */
	async setup() {
		Error.stackTraceLimit = 10;
		Error.prepareStackTrace = this.before.prepareStackTrace;
	}

	async teardown() {
		process.exit = this.before.exit;
		globalThis.console = this.before.console;
		for (const name of Object.keys(process.env)) {
			if (!(name in this.before.env)) delete process.env[name];
		}
		Object.assign(process.env, this.before.env);
		for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
			if (['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'].includes(symbol.description)) {
				delete globalThis[symbol];
			}
		}
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	/** Any object will do: see runtime.cjs. */
	getVmContext() {
		return globalThis;
	}

	handleTestEvent({ name, test }, { rootDescribeBlock }) {
		if (name === 'run_start') {
			for (const each of testsOf(rootDescribeBlock)) {
				const id = testId(this.file, each);
				if (orders.wanted && !orders.wanted.has(id)) each.mode = 'skip';
				if (orders.limit) each.timeout = orders.limit(id);
			}
		} else if (name === 'test_start') {
			globalThis.__stryker__.currentTestId = testId(this.file, test);
		} else if (name === 'test_done') {
			globalThis.__stryker__.currentTestId = undefined;
			if (orders.bail && test.errors.length > 0) {
				for (const each of testsOf(rootDescribeBlock)) each.mode = 'skip';
			}
		}
	}
}

module.exports = MainContext;
module.exports.orders = orders;
