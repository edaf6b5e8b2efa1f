const asyncHooks = require('node:async_hooks');
const { createRequire } = require('node:module');
const { compileFunction } = require('node:vm');
const Runtime = require('jest-runtime').default;

/** One for all files: on Node 20 to 22 each storage that was used slows down every later promise of the process. */
const storage = new asyncHooks.AsyncLocalStorage();
const sharedAsyncHooks = {
	...asyncHooks,
	AsyncLocalStorage: function () {
		return storage;
	},
};

/** @param {string} [name] undefined for an absolute path */
const isFile = (name) => name === undefined || (/^[./]/.test(name) && !name.endsWith('.cjs'));

/**
 * Loads packages with Node's own `require`, once for the process: jest loads them again for each test file, and
 * n8n-core alone takes 2 s. Our own files are loaded again for each test file. A test file that changes what n8n reads
 * while it is loaded starts with `@jest-environment node`, which gives it an n8n of its own.
 */
module.exports = class SharedRuntime extends Runtime {
	/** @param {ConstructorParameters<typeof Runtime>} args */
	constructor(...args) {
		super(...args);
		const [, environment, resolver] = args;
		this.resolver = resolver;
		this.shares = Object.is(environment.global, globalThis);
		if (!this.shares) return;
		/** @type {any} private, and the only place to replace vm contexts */
		const executor = this['executor'];
		/** @param {string} source @param {string} filename */
		executor.compile = (source, filename) =>
			compileFunction(source, executor.injectedModuleParameters, { filename });
	}

	/** @override @param {string} from @param {string} name @returns {any} */
	requireModuleOrMock(from, name) {
		if (!this.shares || isFile(name) || name === '@jest/globals') {
			return super.requireModuleOrMock(from, name);
		}
		return createRequire(from)(this.resolver.resolveStubModuleName(from, name) ?? name);
	}

	/**
	 * jest's own modules: only its entry file holds the state of a test file.
	 * @override @param {string} from @param {string} [name] @returns {any}
	 */
	requireInternalModule(from, name) {
		if (!this.shares || name === undefined || isFile(name)) {
			return super.requireInternalModule(from, name);
		}
		return name === 'node:async_hooks' ? sharedAsyncHooks : createRequire(from)(name);
	}
};
